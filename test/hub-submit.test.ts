import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeEnvelope, encodeEnvelope } from '../src/protocol/wire/envelope.js';

import type { Signed } from '../src/sample/signed-message.js';
import { signedAnew } from './support/altered-message.js';
import { type HubFlow, hashesOf, hex, startHubFlow, type TestResponse } from './support/hub-api.js';
import { FIDS } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

const submit = (wire: Uint8Array): Promise<TestResponse> => hub.post('hub-publish-message', '/v1/submitMessage', wire);
const validate = (wire: Uint8Array): Promise<TestResponse> =>
  hub.post('hub-validate-message', '/v1/validateMessage', wire);
const events = async (from: number) => (await hub.get('hub-fetch-events', `/v1/events?from_event_id=${from}`)).body;

/** The newest event of the log. */
const lastEvent = async (): Promise<{ id: number; type: string; mergeMessageBody: { message: { hash: string } } }> =>
  (await events(0)).events.at(-1);

/** Field 14 of `MessageData`, as bytes. */
const LINK_BODY_TAG = 0x72;

const now = () => ({ at: hub.seeded.clock.tick() });

const altered = (message: Signed, change: (envelope: ReturnType<typeof decodeEnvelope>) => object): Uint8Array => {
  const envelope = decodeEnvelope(message.wire);
  return encodeEnvelope({ ...envelope, ...change(envelope) });
};

test('a submitted message is returned as JSON, stored, listed at once, and in the event log', async () => {
  const message = hub.seeded.grace.cast({ text: 'Submitted 🚀', ...now() });
  const answer = await submit(message.wire);
  expect(answer).toMatchObject({
    status: 200,
    body: { hash: hex(message.hash), data: { castAddBody: { text: 'Submitted 🚀' } } },
  });
  const list = await hub.get('hub-fetch-users-casts', `/v1/castsByFid?fid=${FIDS.grace}`);
  expect(list.body.messages).toEqual([answer.body]);
  const event = await lastEvent();
  expect(event.type).toBe('HUB_EVENT_TYPE_MERGE_MESSAGE');
  expect(event.mergeMessageBody.message.hash).toBe(hex(message.hash));
  const one = await hub.get('hub-lookup-event', `/v1/eventById?event_id=${event.id}`);
  expect(one.body).toEqual(event);
});

test('a message with data_bytes is returned with them', async () => {
  const message = hub.seeded.grace.cast({ text: 'As bytes', ...now() });
  const wire = altered(message, () => ({ dataForm: 'data_bytes' }));
  const { dataBytes } = decodeEnvelope(wire);
  expect((await submit(wire)).body.dataBytes).toBe(Buffer.from(dataBytes).toString('base64'));
  const list = await hub.get('hub-fetch-users-casts', `/v1/castsByFid?fid=${FIDS.grace}&reverse=true&pageSize=1`);
  expect(list.body.messages[0]).toMatchObject({
    hash: hex(message.hash),
    dataBytes: Buffer.from(dataBytes).toString('base64'),
  });
});

test('a removal removes the cast from lists and lookups, and its event names the cast', async () => {
  const { heidi } = hub.seeded;
  const message = heidi.cast({ text: 'Gone soon', ...now() });
  expect((await submit(message.wire)).status).toBe(200);
  const removal = heidi.removeCast(message.hash, hub.seeded.clock.tick());
  const answer = await submit(removal.wire);
  expect(answer.body.data).toMatchObject({
    type: 'MESSAGE_TYPE_CAST_REMOVE',
    targetHash: hex(message.hash),
    castRemoveBody: { targetHash: Buffer.from(message.hash).toString('base64') },
  });
  expect(hashesOf(await hub.get('hub-fetch-users-casts', `/v1/castsByFid?fid=${FIDS.heidi}`))).toEqual([]);
  expect(await lastEvent()).toMatchObject({
    mergeMessageBody: { message: { hash: hex(removal.hash) }, deletedMessages: [{ hash: hex(message.hash) }] },
  });
  expect(await submit(message.wire)).toMatchObject({ status: 400, body: { errCode: 'bad_request.conflict' } });
});

test('a rejection has the code of hubs and changes nothing', async () => {
  const before = (await lastEvent()).id;
  const message = hub.seeded.grace.cast({ text: 'Twice', ...now() });
  const refuse = async (wire: Uint8Array, errCode: string, status = 400) => {
    const answer = await submit(wire);
    expect({ status: answer.status, errCode: answer.body.errCode }).toEqual({ status, errCode });
    expect(answer.body.metadata).toEqual({ errcode: [errCode] });
  };
  await refuse(Buffer.from('no message'), 'bad_request.parse_failure');
  await refuse(Buffer.alloc(0), 'bad_request.parse_failure');
  await refuse(
    altered(message, () => ({ signature: Buffer.alloc(64, 1) })),
    'bad_request.validation_failure',
  );
  await refuse(
    altered(message, ({ hash }) => ({ hash: Buffer.from(hash).reverse() })),
    'bad_request.validation_failure',
  );
  const stranger = hub.seeded.grace.withKey(7);
  await refuse(stranger.cast({ text: 'Not my key', ...now() }).wire, 'bad_request.unknown_signer');
  expect((await lastEvent()).id).toBe(before);

  expect((await submit(message.wire)).status).toBe(200);
  await refuse(message.wire, 'bad_request.duplicate');
});

test('the messages of a removed key stay, and it cannot sign', async () => {
  const { erin } = hub.seeded;
  const second = erin.withKey(1);
  await hub.submit([await second.addSigner()]);
  const message = second.cast({ text: 'By my second key', ...now() });
  expect((await submit(message.wire)).status).toBe(200);
  await hub.submit([second.removeSigner()]);
  const casts = await hub.get('hub-fetch-users-casts', `/v1/castsByFid?fid=${FIDS.erin}`);
  expect(hashesOf(casts)).toContain(hex(message.hash));
  const [last] = (await events(0)).events.slice(-1);
  expect(last.type).toBe('HUB_EVENT_TYPE_MERGE_ON_CHAIN_EVENT');
  const late = second.cast({ text: 'By a key that was removed', ...now() });
  expect((await submit(late.wire)).body.errCode).toBe('bad_request.unknown_signer');
});

test('a number that takes more bytes than it needs is read as hubs read it', async () => {
  const { grace } = hub.seeded;
  const body = Buffer.concat([
    Buffer.from('\n\x06follow'),
    Buffer.from('10ffffffff8700', 'hex'),
    Buffer.from([0x18, FIDS.erin]),
  ]);
  const wire = signedAnew(grace, grace.follow(FIDS.erin, hub.seeded.clock.tick()), (data) =>
    Buffer.concat([data.subarray(0, data.lastIndexOf(LINK_BODY_TAG)), Buffer.from([LINK_BODY_TAG, body.length]), body]),
  );
  expect(await submit(wire)).toMatchObject({
    status: 200,
    body: { data: { linkBody: { type: 'follow', targetFid: FIDS.erin, displayTimestamp: 0x7fffffff } } },
  });
  expect((await validate(wire)).body).toMatchObject({ valid: true });
});

test('validateMessage checks without storing', async () => {
  const message = hub.seeded.grace.cast({ text: 'Would this do?', ...now() });
  const answer = await validate(message.wire);
  expect(answer).toMatchObject({ status: 200, body: { valid: true, message: { hash: hex(message.hash) } } });
  const unsigned = altered(message, () => ({ signature: Buffer.alloc(64, 1) }));
  expect((await validate(unsigned)).body.valid).toBe(false);
  const stranger = hub.seeded.grace.withKey(9).cast({ text: 'Would this?', ...now() });
  // Hubs check the key when a message is submitted, not here.
  expect((await validate(stranger.wire)).body.valid).toBe(true);
  expect(await validate(Buffer.from('nonsense'))).toMatchObject({
    status: 400,
    body: { errCode: 'bad_request.parse_failure' },
  });
  const found = await hub.get('hub-lookup-cast-by-hash-and-fid', `/v1/castById?fid=9&hash=${hex(message.hash)}`);
  expect(found.status).toBe(404);
});

test('the event log continues at the end of a page, and an empty page says where to continue', async () => {
  const all = await events(0);
  expect(all.events.length).toBeGreaterThan(60);
  const ids = all.events.map((event: { id: number }) => event.id);
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
  expect(all.nextPageEventId).toBe(ids.at(-1) + 1);
  expect(await events(all.nextPageEventId)).toEqual({ events: [], nextPageEventId: all.nextPageEventId });
  expect((await events(ids[5])).events[0].id).toBe(ids[5]);
  const kinds = new Set(all.events.map((event: { type: string }) => event.type));
  expect(kinds).toContain('HUB_EVENT_TYPE_MERGE_USERNAME_PROOF');
  expect(kinds).toContain('HUB_EVENT_TYPE_MERGE_ON_CHAIN_EVENT');
  expect((await hub.get('hub-lookup-event', '/v1/eventById?event_id=999999')).status).toBe(404);
  await hub.refused('hub-lookup-event', '/v1/eventById?event_id=last', /^event_id must be an integer/);
});

test('bodies of another type, too large ones and JSON are rejected', async () => {
  const { fastify } = hub.shell.server;
  const key = await hub.shell.key();
  const post = (type: string, payload: Buffer) =>
    fastify.inject({
      method: 'POST',
      url: '/v1/submitMessage',
      headers: { 'x-api-key': key, 'content-type': type },
      payload,
    });
  const json = await post('application/json', Buffer.from('{}'));
  expect([json.statusCode, json.json().name]).toEqual([415, 'HubError']);
  const large = await post('application/octet-stream', Buffer.alloc(2 * 1024 * 1024));
  expect([large.statusCode, large.json().name]).toEqual([413, 'HubError']);
});
