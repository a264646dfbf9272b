import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_BULK_MESSAGES } from '../src/api/hub/message/bulk-submission.js';
import { decodeEnvelope, encodeEnvelope } from '../src/protocol/wire/envelope.js';
import { encodeByteString, encodeNumber } from '../src/protocol/wire/wire.js';
import type { Signed } from '../src/sample/signed-message.js';
import { type HubFlow, hashesOf, hex, startHubFlow } from './support/hub-api.js';
import { FIDS } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

/** @returns the bytes of a `SubmitBulkMessagesRequest` */
const bulk = (...wires: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(Buffer.concat(wires.map((wire) => encodeByteString(1, wire))));
const submit = (...messages: readonly (Signed | Uint8Array)[]) =>
  hub.postUnchecked('/v1/submitBulkMessages', bulk(...messages.map((one) => ('wire' in one ? one.wire : one))));
const now = () => ({ at: hub.seeded.clock.tick() });
const casts = async (fid: number): Promise<string[]> =>
  hashesOf(await hub.get('hub-fetch-users-casts', `/v1/castsByFid?fid=${fid}`));
const refusal = (hash: Uint8Array, errCode: string) => ({ hash: hex(hash), errCode, message: expect.any(String) });

test('messages are stored and answered in their order, each with its exact bytes', async () => {
  const { grace } = hub.seeded;
  const plain = grace.cast({ text: 'First 🚀', ...now() });
  const second = grace.cast({ text: 'As bytes', ...now() });
  const asBytes = encodeEnvelope({ ...decodeEnvelope(second.wire), dataForm: 'data_bytes' });
  // Bytes that the protocol's package would not keep: a field that it does not know.
  const third = grace.cast({ text: 'With more', ...now() });
  const withMore = new Uint8Array(Buffer.concat([third.wire, encodeNumber(99, 7)]));
  const { status, body } = await submit(plain, asBytes, withMore);
  expect(status).toBe(200);
  expect(hashesOf({ status, body })).toEqual([plain, second, third].map(({ hash }) => hex(hash)));
  expect(body.messages[1].dataBytes).toBe(Buffer.from(decodeEnvelope(asBytes).dataBytes).toString('base64'));
  const list = await hub.get('hub-fetch-users-casts', `/v1/castsByFid?fid=${grace.fid}`);
  expect(list.body.messages).toEqual(body.messages);
  const events = await hub.get('hub-fetch-events', '/v1/events?from_event_id=0&reverse=true&pageSize=3');
  expect(new Set(events.body.events.map((event: { type: string }) => event.type))).toEqual(
    new Set(['HUB_EVENT_TYPE_MERGE_MESSAGE']),
  );
});

test('a bad message keeps none of the others from being stored, and says why it is not', async () => {
  const { heidi, frank } = hub.seeded;
  const good = [heidi.cast({ text: 'One', ...now() }), frank.cast({ text: 'Two', ...now() })] as const;
  const unsigned = heidi.cast({ text: 'Unsigned', ...now() });
  const forged = encodeEnvelope({ ...decodeEnvelope(unsigned.wire), signature: Buffer.alloc(64, 1) });
  const stranger = heidi.withKey(7).cast({ text: 'Not my key', ...now() });
  const nobody = Buffer.from('no message');
  const { status, body } = await submit(good[0], forged, stranger, nobody, new Uint8Array(0), good[0], good[1]);
  expect(status).toBe(200);
  expect(body.messages).toEqual([
    expect.objectContaining({ hash: hex(good[0].hash), data: expect.anything() }),
    refusal(unsigned.hash, 'bad_request.validation_failure'),
    refusal(stranger.hash, 'bad_request.unknown_signer'),
    refusal(new Uint8Array(0), 'bad_request.parse_failure'),
    refusal(new Uint8Array(0), 'bad_request.parse_failure'),
    refusal(good[0].hash, 'bad_request.duplicate'),
    expect.objectContaining({ hash: hex(good[1].hash), data: expect.anything() }),
  ]);
  expect(await casts(heidi.fid)).toEqual([hex(good[0].hash)]);
  expect(await casts(frank.fid)).toEqual([hex(good[1].hash)]);
});

test('a message may need one before it, and one after it may replace it', async () => {
  const { erin } = hub.seeded;
  const second = erin.withKey(1);
  await hub.submit([await second.addSigner()]);
  const cast = second.cast({ text: 'Gone soon', ...now() });
  const follow = erin.follow(FIDS.grace, hub.seeded.clock.tick());
  const { body } = await submit(
    cast,
    second.removeCast(cast.hash, hub.seeded.clock.tick()),
    cast,
    follow,
    erin.unfollow(FIDS.grace, hub.seeded.clock.tick()),
    erin.userData(UserDataType.BIO, 'Radio, and more', hub.seeded.clock.tick()),
  );
  expect(body.messages.map((one: { errCode?: string }) => one.errCode)).toEqual([
    undefined,
    undefined,
    'bad_request.conflict',
    undefined,
    undefined,
    undefined,
  ]);
  expect(await casts(erin.fid)).not.toContain(hex(cast.hash));
  const link = `/v1/linkById?fid=${erin.fid}&target_fid=${FIDS.grace}&link_type=follow`;
  expect((await hub.get('hub-lookup-user-relation', link)).status).toBe(404);
});

test('an empty request is answered with nothing, and unknown fields do not matter', async () => {
  expect(await hub.postUnchecked('/v1/submitBulkMessages', new Uint8Array(0))).toEqual({
    status: 200,
    body: { messages: [] },
  });
  const cast = hub.seeded.dan.cast({ text: 'Beside other fields', ...now() });
  const request = Buffer.concat([encodeNumber(2, 9), bulk(cast.wire), encodeByteString(3, Buffer.from('more'))]);
  expect(hashesOf(await hub.postUnchecked('/v1/submitBulkMessages', request))).toEqual([hex(cast.hash)]);
});

test('bytes that are no request, too many messages and other bodies are refused as a whole', async () => {
  const cast = hub.seeded.dan.cast({ text: 'Never sent', ...now() });
  const refused = async (request: Uint8Array, details: RegExp) => {
    const { status, body } = await hub.postUnchecked('/v1/submitBulkMessages', request);
    expect([status, body.name]).toEqual([400, 'HubError']);
    expect(body.details).toMatch(details);
  };
  await refused(bulk(cast.wire).subarray(0, -1), /cannot be read: field 1 is cut short/);
  await refused(Buffer.concat([bulk(cast.wire), encodeNumber(1, 5)]), /field 1 has wire type 0/);
  await refused(Buffer.concat([bulk(cast.wire), Buffer.from([0xff])]), /cut short inside a number/);
  const many = bulk(cast.wire, ...Array.from({ length: MAX_BULK_MESSAGES }, () => new Uint8Array(0)));
  await refused(many, /more than 1000 messages/);
  expect(await casts(hub.seeded.dan.fid)).not.toContain(hex(cast.hash));

  const { fastify } = hub.shell.server;
  const headers = { 'x-api-key': await hub.shell.key(), 'content-type': 'application/octet-stream' };
  const url = '/v1/submitBulkMessages';
  const large = await fastify.inject({ method: 'POST', url, headers, payload: Buffer.alloc(2 ** 20 + 1) });
  expect([large.statusCode, large.json().name]).toEqual([413, 'HubError']);
  const json = { ...headers, 'content-type': 'application/json' };
  expect((await fastify.inject({ method: 'POST', url, headers: json, payload: '{}' })).statusCode).toBe(415);
  const reading = { ...headers, 'x-api-key': await hub.shell.key(['read']) };
  expect((await fastify.inject({ method: 'POST', url, headers: reading, payload: bulk(cast.wire) })).statusCode).toBe(
    403,
  );
});

test('it costs 100 units for each message, and as much without any', async () => {
  const { fastify } = hub.shell.server;
  const headers = { 'x-api-key': await hub.shell.key(), 'content-type': 'application/octet-stream' };
  const costOf = async (payload: Uint8Array) =>
    Number(
      (await fastify.inject({ method: 'POST', url: '/v1/submitBulkMessages', headers, payload: Buffer.from(payload) }))
        .headers['x-compute-units'],
    );
  const messages = [1, 2, 3].map((n) => hub.seeded.carol.cast({ text: `Number ${n}`, ...now() }).wire);
  expect(await costOf(bulk(...messages))).toBe(300);
  expect(await costOf(new Uint8Array(0))).toBe(100);
  expect(await costOf(Buffer.from([0xff]))).toBeLessThanOrEqual(100);
  const answer = await fastify.inject({ method: 'POST', url: '/v1/submitBulkMessages', headers });
  expect([200, 400, 415]).toContain(answer.statusCode);
});

test('a full request is answered', async () => {
  const at = hub.seeded.clock.tick();
  const messages = Array.from({ length: MAX_BULK_MESSAGES }, (_, index) =>
    hub.seeded.bob.follow(10_000 + index, at + (index % 7)),
  );
  const { status, body } = await submit(...messages);
  expect(status).toBe(200);
  expect(hashesOf({ status, body })).toEqual(messages.map(({ hash }) => hex(hash)));
}, 60_000);
