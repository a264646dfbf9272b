import { afterAll, beforeAll, expect, test } from 'vitest';
import { addLocalKey } from '../src/cli/dev/local-chain.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

let local: Network;
let other: Network;
beforeAll(async () => {
  local = await startNetwork({}, undefined, { addLocalKey });
  other = await startNetwork({});
  await seedBasics((items) => local.load(items));
});
afterAll(() => Promise.all([local.stop(), other.stop()]));

test('a signer of the app is approved without a wallet on a local network, and writes', async () => {
  const { body: made } = await local.send('POST', '/v2/social/signer/', undefined);
  expect((await local.get('/portal/signers')).body).toMatchObject({
    is_local: true,
    signers: [{ signer_uuid: made.signer_uuid, status: 'generated' }],
  });
  const body = { signer_uuid: made.signer_uuid, fid: FIDS.alice };
  const approved = await local.send('POST', '/portal/signer/approve', body);
  expect(approved).toMatchObject({ status: 200, body: { status: 'approved', fid: FIDS.alice } });
  const cast = await local.send('POST', '/v2/social/cast/', {
    signer_uuid: made.signer_uuid,
    text: 'from the console',
  });
  expect(cast.body).toMatchObject({ success: true, cast: { author: { fid: FIDS.alice } } });
});

test('the approved signers of the app are found behind newer ones, and those of one account', async () => {
  const { body: made } = await local.send('POST', '/v2/social/signer/', undefined);
  await local.send('POST', '/portal/signer/approve', { signer_uuid: made.signer_uuid, fid: FIDS.bob });
  for (let n = 0; n < 3; n++) await local.send('POST', '/v2/social/signer/', undefined);
  const find = async (query: string) => {
    const { status, body } = await local.get(`/portal/signers?${query}`);
    expect(status).toBe(200);
    return body.signers.map((one: { fid?: number; status: string }) => [one.status, one.fid]);
  };
  expect(await find('limit=3')).toEqual(Array.from({ length: 3 }, () => ['generated', undefined]));
  expect(await find('status=approved&limit=1')).toEqual([['approved', FIDS.bob]]);
  expect(await find('status=approved')).toEqual([
    ['approved', FIDS.bob],
    ['approved', FIDS.alice],
  ]);
  expect(await find(`fid=${FIDS.bob}`)).toEqual([['approved', FIDS.bob]]);
  expect(await find(`status=approved&fid=${FIDS.carol}`)).toEqual([]);
  const key = Buffer.from(made.public_key.slice(2), 'hex');
  await local.sql('update signer_key set active = false where key = $1', [key]);
  expect(await find(`status=approved&fid=${FIDS.bob}`)).toEqual([]);
  expect(await find(`fid=${FIDS.bob}`)).toEqual([['revoked', FIDS.bob]]);
  expect((await local.get('/portal/signers?status=revoked')).status).toBe(400);
  expect((await local.get('/portal/signers?fid=x')).status).toBe(400);
});

test.each([
  [{ signer_uuid: '00000000-0000-4000-8000-000000000009', fid: FIDS.alice }, 404],
  [{ signer_uuid: 'x', fid: FIDS.alice }, 400],
])('what cannot be approved is said: %j', async (body, status) => {
  expect((await local.send('POST', '/portal/signer/approve', body)).status).toBe(status);
});

test('an account that is not there approves nothing', async () => {
  const { body: made } = await local.send('POST', '/v2/social/signer/', undefined);
  const answer = await local.send('POST', '/portal/signer/approve', { signer_uuid: made.signer_uuid, fid: 987_654 });
  expect(answer).toMatchObject({ status: 404, body: { message: expect.stringContaining('987654') } });
});

test('elsewhere, wallets approve', async () => {
  const { body: made } = await other.send('POST', '/v2/social/signer/', undefined);
  expect((await other.get('/portal/signers')).body).toMatchObject({ is_local: false });
  const answer = await other.send('POST', '/portal/signer/approve', { signer_uuid: made.signer_uuid, fid: 1 });
  expect(answer).toMatchObject({ status: 501, body: { code: 'NoLocalNetwork' } });
});
