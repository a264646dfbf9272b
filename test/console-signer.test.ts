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
