import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { decode, verify } from '@farcaster/jfs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';
import { approvedSigner, registerAccount, removeKey } from './support/signer.js';
import { holdTimeLimits } from './support/time-limit.js';

const FID = 7_001;
let network: Network;
let signer: Awaited<ReturnType<typeof approvedSigner>>;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  await registerAccount(network, FID);
  signer = await approvedSigner(network, FID);
});
afterAll(() => network.stop());

const targets: Receiver[] = [];
afterEach(async () => {
  await Promise.all(targets.splice(0).map((one) => one.stop()));
});
const startTarget = async (answer: (request: Received, response: ServerResponse) => void): Promise<Receiver> => {
  const target = await startReceiver(answer);
  targets.push(target);
  return target;
};
const json =
  (body: string, status = 200) =>
  (_request: Received, response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

const act = (base_url: string, more: object = {}): Promise<TestResponse> =>
  network.send('POST', '/v2/social/action/', {
    signer_uuid: signer.uuid,
    base_url,
    action: { type: 'post', payload: { title: 'Grüße 🌍', list: [1, null] } },
    ...more,
  });

/** What a target does with an action: it trusts nothing but the token, which the protocol's own package verifies. */
const readAction = async ({ headers, body }: Received) => {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  await verify({ data: token, strict: true, keyTypes: ['app_key'] });
  const { header, payload } = decode<{ exp: number; aud: string; digest: string }>(token);
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  return { header, payload, isOfBody: payload.digest === digest, action: JSON.parse(body).action };
};

test('the target gets the action with a token of the user, and its answer comes back', async () => {
  const target = await startTarget(json('{"ok":true,"big":12345678901234567890}'));
  const began = Math.floor(Date.now() / 1000);
  const response = await fetch(`${network.url}/v2/social/action/`, {
    method: 'POST',
    headers: { 'x-api-key': network.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ signer_uuid: signer.uuid, base_url: target.url, action: { type: 'post' } }),
  });
  // Byte for byte: a number that JavaScript cannot hold comes through.
  expect([response.status, await response.text()]).toEqual([200, '{"ok":true,"big":12345678901234567890}']);
  const [request] = target.received as [Received];
  expect(request).toMatchObject({
    method: 'POST',
    path: '/api/farcaster/action',
    headers: { 'content-type': 'application/json' },
    body: '{"action":{"type":"post"}}',
  });
  const { header, payload, isOfBody } = await readAction(request);
  expect(header).toEqual({ fid: FID, type: 'app_key', key: `0x${Buffer.from(signer.publicKey).toString('hex')}` });
  expect(payload).toEqual({ exp: expect.any(Number), aud: target.url, digest: expect.any(String) });
  expect(payload.exp - began).toBeGreaterThanOrEqual(300);
  expect(payload.exp - began).toBeLessThan(330);
  expect(isOfBody).toBe(true);
  expect((await readAction({ ...request, body: request.body.replace('post', 'mint') })).isOfBody).toBe(false);
  expect(JSON.stringify(request.headers)).not.toContain(network.apiKey);
});

test('a byte order mark in front of the answer is not part of it', async () => {
  const target = await startTarget(json('\ufeff{"ok":true}'));
  expect(await act(target.url)).toMatchObject({ status: 200, body: { ok: true } });
});

test('the payload arrives as it was sent, below the path of the base', async () => {
  const target = await startTarget(json('{}'));
  for (const base of ['', '/', '/apps/one', '/apps/one/']) {
    expect(await act(`${target.url}${base}`)).toMatchObject({ status: 200, body: {} });
  }
  const at = '/api/farcaster/action';
  expect(target.received.map(({ path }) => path)).toEqual([at, at, `/apps/one${at}`, `/apps/one${at}`]);
  expect((await readAction(target.received[0] as Received)).action).toEqual({
    type: 'post',
    payload: { title: 'Grüße 🌍', list: [1, null] },
  });
});

test.each([
  ['an error', json('{"secret":"inner"}', 500), /answered 500/],
  ['a refusal', json('{}', 404), /answered 404/],
  [
    'a redirect',
    (_: Received, res: ServerResponse) => void res.writeHead(302, { location: '/x' }).end(),
    /answered 302/,
  ],
  ['no JSON', json('<html>'), /answered 200 .*JSON object/],
  ['a list', json('[]'), /answered 200 .*JSON object/],
  ['nothing', json('', 204), /answered 204 .*JSON object/],
  [
    'bytes that are no text',
    (_: Received, res: ServerResponse) => void res.end(Buffer.from('{"a":"\xff"}', 'latin1')),
    /JSON/,
  ],
  ['nesting of a hundred levels', json(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`), /JSON/],
  ['nesting without end', json('['.repeat(200_000)), /JSON/],
  ['too much', json(`{"a":"${'a'.repeat(300_000)}"}`), /more than 262144 bytes/],
])('a target that answers %s is a 502 that says so', async (_what, answer, words) => {
  const target = await startTarget(answer);
  const { status, body } = await act(target.url);
  expect([status, body.code]).toEqual([502, 'BadGateway']);
  expect(body.message).toMatch(words);
  expect(body.message).not.toContain('inner');
  expect(target.received).toHaveLength(1);
});

test('a target that is silent, or not there, is a 502', async () => {
  const target = await startTarget(() => undefined);
  const limits = holdTimeLimits();
  const acting = act(target.url);
  await expect.poll(() => target.received).toHaveLength(1);
  expect(limits.lengths).toEqual([5_000]);
  limits.end();
  expect(await acting).toMatchObject({
    status: 502,
    body: { message: expect.stringContaining('longer than 5 s') },
  });
  const gone = await startReceiver();
  await gone.stop();
  expect(await act(gone.url)).toMatchObject({
    status: 502,
    body: { message: expect.stringContaining('cannot be reached') },
  });
});

test.each([
  'nonsense',
  'ftp://app.example',
  'http://app.example',
  'https://user:pass@app.example',
  'https://app.example/?a=b',
  'https://app.example/#a',
  'https://app.example:22',
  'https://10.0.0.1',
  'https://169.254.169.254/latest',
  'http://[::ffff:127.0.0.1]:1234',
  'https://[64:ff9b::a00:1]',
])('base_url %s is refused before anything is sent', async (base) => {
  expect(await act(base)).toMatchObject({ status: 400, body: { property: 'base_url' } });
});

test.each([
  [{ action: {} }, 400, 'action'],
  [{ action: { type: 1 } }, 400, 'action'],
  [{ action: { type: 'a', payload: 'b' } }, 400, 'action'],
  [{ action: undefined }, 400, 'action'],
  [{ signer_uuid: 'x' }, 400, 'signer_uuid'],
  [{ signer_uuid: '00000000-0000-4000-8000-000000000000' }, 404, 'signer_uuid'],
])('bad input names what is wrong: %j', async (more, status, property) => {
  const target = await startTarget(json('{}'));
  expect(await act(target.url, more)).toMatchObject({ status, body: { property } });
  expect(target.received).toEqual([]);
});

test('a signer must be approved, still in force, and allowed to act', async () => {
  const target = await startTarget(json('{}'));
  const fresh = await network.send('POST', '/v2/social/signer/', undefined);
  const writer = await approvedSigner(network, FID, { permissions: ['PUBLISH_CAST'] });
  const actor = await approvedSigner(network, FID, { permissions: ['WRITE_FRAME_ACTION'] });
  expect((await act(target.url, { signer_uuid: actor.uuid })).status).toBe(200);
  await removeKey(network, FID, actor.publicKey);
  for (const uuid of [fresh.body.signer_uuid, writer.uuid, actor.uuid]) {
    expect(await act(target.url, { signer_uuid: uuid })).toMatchObject({
      status: 403,
      body: { property: 'signer_uuid' },
    });
  }
  expect(target.received).toHaveLength(1);
});

test('a loopback base_url is refused unless the operator allows loopback', async () => {
  const closed = await startNetwork();
  try {
    const target = await startTarget(json('{}'));
    const body = { signer_uuid: signer.uuid, base_url: target.url, action: { type: 'a' } };
    const answer = await closed.send('POST', '/v2/social/action/', body);
    expect(answer).toMatchObject({ status: 400, body: { property: 'base_url' } });
    expect(target.received).toEqual([]);
  } finally {
    await closed.stop();
  }
});
