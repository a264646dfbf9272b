import { compact, encodeHeader, encodePayload, encodeSignature } from '@farcaster/jfs';
import { ed25519 } from '@noble/curves/ed25519';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecondApp } from './support/app.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { addKey, approvedSigner, removeKey } from './support/signer.js';

let network: Network;
let seeded: Seeded;
const SECRET = new Uint8Array(32).fill(9);
const KEY = ed25519.getPublicKey(SECRET);

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  await addKey(network, FIDS.bob, KEY);
});
afterAll(() => network.stop());

const mark = (body: object, headers?: Record<string, string>): Promise<TestResponse> =>
  network.send('POST', '/v2/social/notifications/seen/', body, headers);
const unseen = async (fid: number): Promise<number> =>
  (await network.get(`/v2/social/notifications/?fid=${fid}`)).body.unseen_notifications_count;

const soon = (): number => Math.floor(Date.now() / 1000) + 300;

/** A token as clients make it, with the protocol's own package. */
const bearer = (payload: object, { fid = FIDS.bob as number, type = 'app_key', secret = SECRET } = {}) => {
  const key = `0x${Buffer.from(ed25519.getPublicKey(secret)).toString('hex')}` as const;
  const header = encodeHeader({ fid, type: type as 'app_key', key });
  const body = encodePayload(payload);
  const signature = encodeSignature(ed25519.sign(Buffer.from(`${header}.${body}`), secret));
  return { authorization: `Bearer ${compact({ header, payload: body, signature })}` };
};

test('a signer marks what its account has seen, of one kind or of all', async () => {
  const { uuid } = await approvedSigner(network, FIDS.alice);
  const before = await unseen(FIDS.alice);
  expect(before).toBeGreaterThan(1);
  expect((await mark({ signer_uuid: uuid, type: 'likes' })).body).toEqual({ success: true });
  expect(await unseen(FIDS.alice)).toBe(before - 1);
  expect((await mark({ signer_uuid: uuid, fid: FIDS.alice })).status).toBe(200);
  expect(await unseen(FIDS.alice)).toBe(0);
  expect(await mark({ signer_uuid: uuid, fid: FIDS.bob })).toMatchObject({ status: 400, body: { property: 'fid' } });
});

test('any permission to write is enough, none is not', async () => {
  const one = await approvedSigner(network, FIDS.dan, { permissions: ['FOLLOW_USER'] });
  expect((await mark({ signer_uuid: one.uuid })).status).toBe(200);
  for (const permission of ['READ_ONLY', 'NONE'] as const) {
    const { uuid } = await approvedSigner(network, FIDS.dan, { permissions: [permission] });
    const answer = await mark({ signer_uuid: uuid });
    expect([answer.status, answer.body.property]).toEqual([400, 'signer_uuid']);
    expect(answer.body.message).toContain(permission);
  }
});

test('a token that the account signed itself marks within the calling app alone', async () => {
  const other = await createSecondApp(network);
  const before = await unseen(FIDS.bob);
  expect(before).toBeGreaterThan(0);
  expect((await mark({}, { ...bearer({ exp: soon() }), ...other.headers })).status).toBe(200);
  expect(await unseen(FIDS.bob)).toBe(before);
  expect((await mark({}, bearer({ exp: soon(), aud: network.config.publicUrl }))).status).toBe(200);
  expect(await unseen(FIDS.bob)).toBe(0);
});

test('an API key that is sent as a bearer token is not taken for a token of an account', async () => {
  const response = await fetch(`${network.url}/v2/social/notifications/seen/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${network.apiKey}` },
    body: JSON.stringify({ fid: FIDS.carol }),
  });
  expect([response.status, await response.json()]).toEqual([200, { success: true }]);
  expect(await unseen(FIDS.carol)).toBe(0);
});

test('an invalid bearer token marks no notifications as seen', async () => {
  await seeded.send(seeded.carol.cast({ text: ['psst ', FIDS.bob] }));
  const before = await unseen(FIDS.bob);
  const exp = soon();
  const sound = bearer({ exp }).authorization;
  const refused: [Record<string, string>, RegExp][] = [
    [{ authorization: '' }, /is missing/],
    [{ authorization: 'Bearer' }, /is missing/],
    [{ authorization: 'Basic YTpi' }, /is missing/],
    [{ authorization: 'Bearer abc' }, /header\.payload\.signature/],
    [{ authorization: 'Bearer a.b.c' }, /base64url|JSON/],
    [bearer({}), /without exp/],
    [bearer({ exp: '5' }), /without exp/],
    [bearer({ exp: exp - 301 }), /has ended/],
    [bearer({ exp: exp + 86_400 }), /a day/],
    [bearer({ exp, aud: 'https://another.example' }), /another audience/],
    [bearer({ exp }, { fid: FIDS.alice }), /no signer of fid 2/],
    [bearer({ exp }, { secret: new Uint8Array(32).fill(8) }), /no signer of fid 3/],
    [{ authorization: `${sound.slice(0, -4)}AAAA` }, /signature/],
  ];
  for (const [headers, message] of refused) {
    const answer = await mark({}, headers);
    expect([headers, answer.status, answer.body.property]).toEqual([headers, 401, 'Authorization']);
    expect(answer.body.message).toMatch(message);
  }
  expect(await unseen(FIDS.bob)).toBe(before);
  await removeKey(network, FIDS.bob, KEY);
  expect(await mark({}, bearer({ exp }))).toMatchObject({ status: 401, body: { property: 'Authorization' } });
});
