import { hashMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../src/hex.js';
import { keyRequestHash } from '../src/onchain/registry/typed-data.js';
import {
  byFutureWallet,
  byWallet,
  contractWalletOf,
  deployContractWallet,
  signHashByWallet,
  startWalletChain,
  type WalletChain,
} from './support/contract-wallet.js';
import { type Network, startNetwork } from './support/network.js';
import { askOpenly, signInText } from './support/sign-in.js';
import { addKey, registerHolder, secondsAhead } from './support/signer.js';

/** Every place where somebody proves with an Ethereum signature who they are takes those of contract wallets. */
let network: Network;
let optimism: WalletChain;
let base: WalletChain;
const owner = privateKeyToAccount(`0x${'41'.repeat(32)}`);
const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`);
/** Has a deployed wallet on OP Mainnet as custody address. */
const CUSTODY = 9_100;
/** Has a wallet as auth address that nobody has deployed. */
const AUTH = 9_101;
let custody: `0x${string}`;
let future: `0x${string}`;

beforeAll(async () => {
  [optimism, base] = await Promise.all([startWalletChain(10), startWalletChain(8453)]);
  network = await startNetwork({
    CASTELLAN_RPC_OPTIMISM: optimism.chain.url,
    CASTELLAN_RPC_BASE: base.chain.url,
  });
  custody = await deployContractWallet(optimism, owner.address);
  await registerHolder(network, CUSTODY, custody);
  future = await contractWalletOf(base, stranger.address);
  await registerHolder(network, AUTH, privateKeyToAccount(generatePrivateKey()).address);
  await addKey(network, AUTH, Buffer.from(`${'00'.repeat(12)}${future.slice(2)}`, 'hex'), { keyType: 2 });
});
afterAll(async () => {
  await network.stop();
  await Promise.all([optimism.chain.stop(), base.chain.stop()]);
});

type Sign = (text: string) => Promise<`0x${string}`>;
const byCustody: Sign = (text) => byWallet(optimism, custody, owner)(text);
const byForger: Sign = (text) => byWallet(optimism, custody, stranger)(text);
const byFuture: Sign = (text) => byFutureWallet(base, future, stranger)(text);

describe('a contract wallet', () => {
  const relay = async (address: `0x${string}`, fid: number, sign: Sign) => {
    const request = { siweUri: 'https://app.example/login', domain: 'app.example' };
    const { channelToken: token, nonce } = (await askOpenly(network, '/v1/channel', { body: request })).body;
    const message = signInText(address, fid, nonce);
    const body = { message, signature: await sign(message) };
    return askOpenly(network, '/v1/channel/authenticate', { token, body });
  };

  test('answers a sign-in of the relay, deployed or not', async () => {
    expect(await relay(custody, CUSTODY, byCustody)).toMatchObject({ status: 201, body: { authMethod: 'custody' } });
    expect(await relay(future, AUTH, byFuture)).toMatchObject({ status: 201, body: { authMethod: 'authAddress' } });
    expect((await relay(custody, CUSTODY, byForger)).status).toBe(400);
    expect((await relay(custody, CUSTODY, (message) => owner.signMessage({ message }))).status).toBe(400);
  });

  test('gets a token of Quick Auth', async () => {
    const verify = async (address: `0x${string}`, fid: number, sign: Sign) => {
      const { nonce } = (await askOpenly(network, '/nonce', { body: {} })).body;
      const message = signInText(address, fid, nonce);
      const body = { domain: 'app.example', message, signature: await sign(message) };
      return (await askOpenly(network, '/verify-siwf', { body })).body;
    };
    expect((await verify(custody, CUSTODY, byCustody)).valid).toBe(true);
    expect((await verify(future, AUTH, byFuture)).valid).toBe(true);
    expect((await verify(custody, CUSTODY, byForger)).valid).toBe(false);
  });

  test('lists the signers of its account', async () => {
    const list = async (address: `0x${string}`, fid: number, sign: Sign) => {
      const { nonce } = (await network.get('/v2/social/login/nonce/')).body;
      const message = signInText(address, fid, nonce);
      const query = new URLSearchParams({ message, signature: await sign(message) });
      return network.get(`/v2/social/signer/list/?${query}`);
    };
    expect(await list(custody, CUSTODY, byCustody)).toMatchObject({ status: 200, body: { signers: [] } });
    expect((await list(future, AUTH, byFuture)).status).toBe(200);
    expect(await list(custody, CUSTODY, byForger)).toMatchObject({ status: 400, body: { property: 'signature' } });
  });

  test('requests a key for an app, and sponsors one, if it is deployed', async () => {
    const request = async (
      fid: number,
      wallet: `0x${string}`,
      make: (hash: `0x${string}`) => Promise<`0x${string}`>,
    ) => {
      const made = (await network.send('POST', '/v2/social/signer/', undefined)).body;
      const deadline = secondsAhead(3600);
      const hash = keyRequestHash({ requestFid: BigInt(fid), key: made.public_key, deadline: BigInt(deadline) });
      const signature = await make(hash);
      const body = { signer_uuid: made.signer_uuid, app_fid: fid, deadline, signature };
      const sponsor = {
        fid,
        signature: await signHashByWallet(optimism, wallet, owner, hashMessage({ raw: signature })),
      };
      return [
        await network.send('POST', '/v2/social/signer/signed_key/', body),
        await network.send('POST', '/v2/social/signer/signed_key/', { ...body, sponsor }),
      ] as const;
    };
    const [plain, sponsored] = await request(CUSTODY, custody, (hash) =>
      signHashByWallet(optimism, custody, owner, hash),
    );
    expect(plain).toMatchObject({ status: 200, body: { status: 'pending_approval' } });
    expect(sponsored.status).toBe(200);
    const [row] = await network.sql<{ signature: Buffer }>(
      'select signature from signed_key_request where request_fid = $1',
      [CUSTODY],
    );
    expect(toHex(row?.signature ?? Buffer.alloc(0))).toMatch(/^0x0{64}/);
    const [forged] = await request(CUSTODY, custody, (hash) => signHashByWallet(optimism, custody, stranger, hash));
    expect(forged).toMatchObject({ status: 400, body: { property: 'signature' } });
  });
});
