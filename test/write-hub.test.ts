import { CastType, MessageType } from '@farcaster/core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { signerKey } from '../src/sample/key.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration, until } from './support/hub-fixture.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { addKey, approvedSigner } from './support/signer.js';

let hub: FakeHub;
let network: Network;
let signer: string;
/** Milliseconds that storing a message may take. */
const LIMIT_MS = 40_000;
let writeMs = LIMIT_MS;
/** Milliseconds that `performance.now` is ahead, by which time limits are over. It only grows, as time does. */
let ahead = 0;
const [alice, bob] = authors(41, 42);
const cast = bob.cast({ text: 'to be liked' });
const TARGET = `0x${Buffer.from(cast.hash).toString('hex')}`;

beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  hub = new FakeHub([1]);
  await hub.start();
  hub.say(...(await registration(alice)), ...(await registration(bob)), cast);
  network = await startNetwork({ CASTELLAN_HUB_URL: hub.address.address }, undefined, {
    timings: { writeMs: () => writeMs },
  });
  await until(async () => {
    expect((await network.get('/v2/social/user/bulk/?fids=41,42')).body.users).toHaveLength(2);
    // The cast is stored in a later batch than its author, sometimes.
    expect((await network.get(`/v2/social/cast/?type=hash&identifier=${TARGET}`)).status).toBe(200);
  });
  signer = (await approvedSigner(network, alice)).uuid;
});
afterEach(() => {
  writeMs = LIMIT_MS;
  hub.refusal = undefined;
  hub.rejectionCode = 'bad_request.validation_failure';
  delete hub.gates.submitMessage;
});
afterAll(async () => {
  await network.stop();
  hub.stop();
  vi.restoreAllMocks();
});
const react = (method: 'POST' | 'DELETE', more: Record<string, unknown> = {}): Promise<TestResponse> =>
  network.send(method, '/v2/social/reaction/', { signer_uuid: signer, reaction_type: 'like', target: TARGET, ...more });

const liked = async (): Promise<boolean> => {
  const { body } = await network.get(`/v2/social/cast/?type=hash&identifier=${TARGET}&viewer_fid=41`);
  expect(body.cast.reactions.likes_count).toBe(body.cast.viewer_context.liked ? 1 : 0);
  return body.cast.viewer_context.liked;
};

/** Reactions of alice that the hub holds, those taken back included. */
const held = () => hub.state.all().filter(({ decoded }) => decoded.fid === 41 && decoded.data.reactionBody);
const submits = (): number => hub.calls.submitMessage ?? 0;
const hashIn = ({ body }: TestResponse): string => /0x[0-9a-f]{40}/.exec(body.message)?.[0] as string;

/** @returns what lets the hub answer again. */
const hang = (): (() => void) => {
  let release: () => void = () => undefined;
  hub.gates.submitMessage = new Promise((resolve) => {
    release = resolve;
  });
  return release;
};

test('the status of ingest tells how far each stream of the hub is', async () => {
  const hubStatus = async () => (await network.get('/operator/ingest')).body.hub;
  await expect.poll(hubStatus).toEqual({
    is_connected: true,
    lag_seconds: expect.any(Number),
    sync: null,
    streams: [{ shard: 1, is_connected: true, lag_seconds: expect.any(Number), last_event_at: expect.any(String) }],
  });
});

test('what the hub accepts is visible to the next request', async () => {
  expect(await react('POST')).toMatchObject({ status: 200, body: { success: true } });
  expect(await liked()).toBe(true);
  expect(held()).toHaveLength(1);
  expect(await react('DELETE')).toMatchObject({ status: 200 });
  expect(await liked()).toBe(false);
});

test('what the hub rejects is a 400 with its message, and nothing is stored', async () => {
  hub.refusal = 'no, thank you';
  expect(await react('POST')).toMatchObject({
    status: 400,
    body: { code: 'InvalidMessage', property: 'target', message: 'The hub refused the message: no, thank you' },
  });
  hub.refusal = 'unknown fid';
  expect(await react('POST')).toMatchObject({ status: 400, body: { property: 'signer_uuid' } });
  expect(await liked()).toBe(false);
});

test('a rejected request is forgotten: its key may be used again, with another body, too', async () => {
  const idem = 'refused at first';
  hub.refusal = 'not now';
  expect((await react('POST', { idem })).status).toBe(400);
  hub.refusal = undefined;
  expect((await react('POST', { idem, reaction_type: 'recast' })).status).toBe(200);
  expect((await react('DELETE', { reaction_type: 'recast' })).status).toBe(200);
});

test('a hub that times out: the outcome is unknown, and the response contains the hash', async () => {
  const release = hang();
  const before = submits();
  writeMs = 300;
  const answer = await react('POST', { idem: 'slow hub' });
  expect(answer).toMatchObject({
    status: 504,
    body: { code: 'GatewayTimeout', message: expect.stringContaining('unknown') },
  });
  expect(await liked()).toBe(false);
  // The same request again submits the same message, which the hub takes once.
  const again = await react('POST', { idem: 'slow hub' });
  expect(hashIn(again)).toBe(hashIn(answer));
  await until(() => expect(submits()).toBe(before + 2));
  writeMs = LIMIT_MS;
  release();
  await until(async () => expect(await liked()).toBe(true));
  expect(await react('POST', { idem: 'slow hub' })).toMatchObject({ status: 200, body: { success: true } });
  const message = held().find(
    ({ decoded }) => decoded.type === MessageType.REACTION_ADD && decoded.data.reactionBody?.type === 1,
  );
  expect(`0x${Buffer.from(message?.decoded.envelope.hash ?? []).toString('hex')}`).toBe(hashIn(answer));
  // Answered for good: the hub is not asked any more.
  const asked = submits();
  expect(await react('POST', { idem: 'slow hub' })).toMatchObject({ status: 200, body: { success: true } });
  expect(submits()).toBe(asked);
});

test('a hub that crashes before its response leaves the outcome unknown, and the request can be repeated', async () => {
  hang();
  const answer = react('DELETE', { idem: 'dying hub' });
  const asked = submits();
  await until(() => expect(submits()).toBe(asked + 1));
  hub.stop();
  expect(await answer).toMatchObject({ status: 504, body: { code: 'GatewayTimeout' } });
  expect(await react('DELETE', { idem: 'dying hub' })).toMatchObject({ status: 504 });
  // A request that was never sent has no unknown outcome.
  const unsent = await react('DELETE');
  expect(unsent).toMatchObject({ status: 503, body: { code: 'HubUnreachable' } });
  expect(Number(unsent.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await liked()).toBe(true);
  delete hub.gates.submitMessage;
  await hub.start();
  await until(async () => expect((await react('DELETE', { idem: 'dying hub' })).status).toBe(200));
  expect(await liked()).toBe(false);
});

test('a later message that only the hub has makes our timestamp later still', async () => {
  hub.refusal = 'message conflicts with a more recent remove';
  hub.rejectionCode = 'bad_request.conflict';
  const before = submits();
  const answer = react('POST');
  await until(() => expect(submits()).toBe(before + 3));
  hub.refusal = undefined;
  expect(await answer).toMatchObject({ status: 200 });
  expect(await liked()).toBe(true);
  hub.refusal = 'message conflicts with a more recent add';
  // What was never stored is not taken for done by the next try.
  for (const idem of [undefined, 'outpaced', 'outpaced']) {
    const asked = submits();
    const late = react('DELETE', { idem });
    await until(() => expect(submits()).toBeGreaterThan(asked));
    // No further try is begun in the second half.
    ahead += LIMIT_MS / 2;
    expect(await late).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(await liked()).toBe(true);
  }
  hub.refusal = undefined;
  expect(await react('DELETE', { idem: 'outpaced' })).toMatchObject({ status: 200 });
  expect(await liked()).toBe(false);
  expect(await react('POST')).toMatchObject({ status: 200 });
});

test('a message that the hub has already counts as written', async () => {
  // It was taken at an earlier try, whose answer was lost.
  hub.refusal = 'message has already been merged';
  hub.rejectionCode = 'bad_request.duplicate';
  expect(await react('DELETE')).toMatchObject({ status: 200 });
  expect(await liked()).toBe(false);
});

/** A cast signed with a key whose registration has not come here, so that the store cannot take it yet. */
const writeEarly = (text: string) => {
  const key = signerKey(new Uint8Array(32).fill(9));
  const castAddBody = {
    text,
    embeds: [],
    embedsDeprecated: [],
    mentions: [],
    mentionsPositions: [],
    type: CastType.CAST,
  };
  const written = network.app.services.writer.write({ ...key, fid: 41 }, { type: MessageType.CAST_ADD, castAddBody });
  return { key, written };
};

const ofText = (text: string) => hub.state.all().find(({ decoded }) => decoded.data.castAddBody?.text === text);

test("the outcome is unknown, too, if the hub's stream does not bring an accepted message", async () => {
  hub.losing = true;
  const refused = expect(writeEarly('nobody will see').written).rejects.toMatchObject({
    kind: 'gateway_timeout',
    message: expect.stringContaining('did not come back'),
  });
  await until(() => expect(ofText('nobody will see')).toBeDefined());
  ahead += LIMIT_MS;
  await refused;
  hub.losing = false;
});

test("an accepted message is waited for until the hub's stream brings it", async () => {
  const { key, written } = writeEarly('soon to be seen');
  await until(() => expect(ofText('soon to be seen')).toBeDefined());
  await addKey(network, 41, key.publicKey);
  hub.repeat(1);
  const { hash } = await written;
  const { body } = await network.get(`/v1/castById?fid=41&hash=0x${Buffer.from(hash).toString('hex')}`);
  expect(body.data.castAddBody.text).toBe('soon to be seen');
});
