import { createAppClient, createWalletClient, viemConnector } from '@farcaster/auth-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localClient } from '../../src/onchain/local/chain.js';
import { registerLocalAccounts } from '../../src/onchain/local/registry.js';
import type { Author } from '../../src/sample/author.js';
import type { TestChain } from '../support/chain.js';
import { type Network, startNetwork } from '../support/network.js';
import { startRegistryChain } from '../support/registry.js';
import { FIDS, seedBasics } from '../support/seed.js';
import { recordRun } from './record.js';

/** @farcaster/auth-client, as apps and wallets install it: the app verifies what it reads on the chain itself. */
let network: Network;
let chain: TestChain;
let alice: Author;
beforeAll(async () => {
  chain = await startRegistryChain();
  network = await startNetwork();
  ({ alice } = await seedBasics(network.load));
  const { address } = alice.custody.account;
  await registerLocalAccounts(
    localClient(chain.url),
    [{ fid: alice.fid, custody: address, recovery: address }],
    alice.fid,
  );
});
afterAll(async () => {
  await network.stop();
  await chain.stop();
});

const DOMAIN = 'app.example';
const clients = () => {
  const config = { relay: network.url, ethereum: viemConnector({ rpcUrl: chain.url }) };
  return { app: createAppClient(config), wallet: createWalletClient(config) };
};

test('an app and a wallet sign an account in through the relay', async () => {
  const { app, wallet } = clients();
  const opened = await app.createChannel({ siweUri: `https://${DOMAIN}/login`, domain: DOMAIN });
  expect(opened.isError).toBe(false);
  const { channelToken = '', url = '', nonce = '' } = opened.data ?? {};
  const states: string[] = [];
  const watched = app.watchStatus({
    channelToken,
    timeout: 20_000,
    interval: 50,
    onResponse: ({ data }) => states.push(data.state),
  });
  await expect.poll(() => states.length).toBeGreaterThan(1);

  // The wallet, which was given the URL as a QR code.
  expect(wallet.parseSignInURI({ uri: url }).channelToken).toBe(channelToken);
  const seen = await wallet.parseSignInURI({ uri: url });
  const { address } = alice.custody.account;
  const built = wallet.buildSignInMessage({
    ...{ fid: alice.fid, address, domain: DOMAIN, nonce },
    uri: `https://${DOMAIN}/login`,
  });
  const message = built.message as string;
  const signature = await alice.custody.account.signMessage({ message });
  const answered = await wallet.authenticate({
    ...{ authKey: 'not needed here', channelToken: seen.channelToken as string, message, signature, fid: alice.fid },
    ...{ username: 'alice', bio: '', displayName: '', pfpUrl: '' },
  });
  expect([answered.isError, answered.response?.status]).toEqual([false, 201]);

  const { data } = await watched;
  expect(data).toMatchObject({ state: 'completed', fid: FIDS.alice, username: 'alice', nonce });
  expect(states.slice(0, 2)).toEqual(['pending', 'pending']);
  const verified = await app.verifySignInMessage({
    ...{ nonce, domain: DOMAIN, message: data?.message as string, signature: data?.signature as `0x${string}` },
  });
  expect(verified).toMatchObject({ isError: false, success: true, fid: FIDS.alice, authMethod: 'custody' });
  expect((await app.status({ channelToken })).response?.status).toBe(401);
  const ofApp = { createChannel: true, watchStatus: true, status: true, verifySignInMessage: true };
  recordRun('@farcaster/auth-client', { ...ofApp, parseSignInURI: true, buildSignInMessage: true, authenticate: true });
}, 30_000);
