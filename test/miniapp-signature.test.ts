import type { Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHORT_CALLS } from './support/chain.js';
import {
  byFutureWallet,
  byWallet,
  contractWalletOf,
  deployContractWallet,
  startWalletChain,
  type WalletChain,
} from './support/contract-wallet.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { startReceiver } from './support/receiver.js';
import { addKey, registerHolder } from './support/signer.js';

/** The signatures that manifests and events of real mini apps carry: how they are written, and who made them. */
let nextFid = 8_400;
let nonce = 0;

interface Signed {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}
type Encoding = (bytes: Buffer) => string;
type Sign = (text: string) => Promise<Hex>;

const plain = (text: string): string => text.replace(/=+$/, '');
const base64url: Encoding = (bytes) => bytes.toString('base64url');
const base64: Encoding = (bytes) => bytes.toString('base64');
const ENCODINGS: readonly (readonly [name: string, encode: Encoding])[] = [
  ['base64url', base64url],
  ['base64url with padding', (bytes) => base64url(bytes).padEnd(base64(bytes).length, '=')],
  ['base64', base64],
  ['base64 without padding', (bytes) => plain(base64(bytes))],
];

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');

/** Signs an object as `header.payload`, in the encoding that each part is sent in. */
const sign = async (
  header: object,
  payload: object,
  by: Sign,
  [head, body, end]: readonly [Encoding, Encoding, Encoding] = [base64url, base64url, base64url],
): Promise<Signed> => {
  const encoded = {
    header: head(Buffer.from(JSON.stringify(header))),
    payload: body(Buffer.from(JSON.stringify(payload))),
  };
  return { ...encoded, signature: end(bytesOf(await by(`${encoded.header}.${encoded.payload}`))) };
};

const byKey =
  (wallet: PrivateKeyAccount): Sign =>
  (message) =>
    wallet.signMessage({ message });

const event = () => ({ event: 'frame_added', nonce: `${nonce++}` });
const post = (network: Network, domain: string, signed_message: Signed): Promise<TestResponse> =>
  network.send('POST', '/v2/social/app_host/user/event/', { app_domain: domain, signed_message });

/** @returns the answer for an event that its account's key signed, for a mini app whose manifest is signed so */
const deliver = async (network: Network, associate: (domain: string) => Promise<Signed>): Promise<TestResponse> => {
  const told: unknown[] = [];
  const server = await startReceiver(async ({ path, body }, response) => {
    const domain = `localhost:${server.port}`;
    if (path === '/webhook') {
      told.push(JSON.parse(body));
      response.end();
      return;
    }
    const miniapp = { version: '1', name: 'Signed', webhookUrl: `http://${domain}/webhook` };
    response.end(JSON.stringify({ accountAssociation: await associate(domain), miniapp }));
  });
  try {
    const user = privateKeyToAccount(generatePrivateKey());
    const fid = nextFid++;
    await registerHolder(network, fid, user.address);
    const signed = await sign({ fid, type: 'custody', key: user.address }, event(), byKey(user));
    const answer = await post(network, `localhost:${server.port}`, signed);
    expect(told).toEqual(answer.status === 200 ? [signed] : []);
    return answer;
  } finally {
    await server.stop();
  }
};
const LOOPBACK = { CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' };

describe('how a signature is written', () => {
  let network: Network;
  const owner = privateKeyToAccount(`0x${'31'.repeat(32)}`);
  const OWNER = 8_300;
  beforeAll(async () => {
    network = await startNetwork(LOOPBACK);
    await registerHolder(network, OWNER, owner.address);
  });
  afterAll(() => network.stop());

  /** A payload is varied until the signature has characters in which the two alphabets differ. */
  const associate = async (
    domain: string,
    encodings: readonly [Encoding, Encoding, Encoding],
    type = 'custody',
  ): Promise<Signed> => {
    for (let attempt = 0; ; attempt += 1) {
      const header = { fid: OWNER, type, key: owner.address };
      const signed = await sign(header, { domain, attempt }, byKey(owner), encodings);
      if (/[-_+/]/.test(signed.signature)) return signed;
    }
  };

  test.each(ENCODINGS)('a manifest is accepted in %s', async (_name, encode) => {
    expect(await deliver(network, (domain) => associate(domain, [encode, encode, encode]))).toMatchObject({
      status: 200,
    });
  });

  test('a base64url manifest is accepted with a base64 signature, as most tools write it', async () => {
    const written = (domain: string) => associate(domain, [base64url, base64url, base64], 'auth');
    expect(await deliver(network, written)).toMatchObject({ status: 200 });
  });

  test.each(ENCODINGS)('an event is accepted in %s and forwarded unchanged', async (_name, encode) => {
    const told: unknown[] = [];
    const server = await startReceiver(async ({ path, body }, response) => {
      const domain = `localhost:${server.port}`;
      if (path === '/webhook') told.push(JSON.parse(body));
      const accountAssociation = await associate(domain, [base64url, base64url, base64url]);
      response.end(JSON.stringify({ accountAssociation, miniapp: { webhookUrl: `http://${domain}/webhook` } }));
    });
    const header = { fid: OWNER, type: 'custody', key: owner.address };
    const signed = await sign(header, event(), byKey(owner), [encode, encode, encode]);
    expect((await post(network, `localhost:${server.port}`, signed)).status).toBe(200);
    expect(told).toEqual([signed]);
    await server.stop();
  });

  test('the signature covers the text as sent: the same bytes in another encoding are rejected', async () => {
    const header = { fid: OWNER, type: 'custody', key: owner.address, more: '~~~???' };
    const answer = await deliver(network, async (domain) => {
      const signed = await sign(header, { domain }, byKey(owner));
      return { ...signed, header: base64(Buffer.from(signed.header, 'base64url')) };
    });
    expect([answer.status, answer.body.message]).toEqual([502, expect.stringContaining('does not hold')]);
  });

  test.each([
    ['a mixture of alphabets', (text: string) => `${text.slice(0, -8)}-_-_+/+/`],
    ['padding that does not fit', (text: string) => `${plain(text)}===`],
    ['a line break', (text: string) => `${text}\n`],
    ['a space', (text: string) => text.replace(/^..../, '$& ')],
    ['another character', (text: string) => `!${text.slice(1)}`],
  ])('%s is rejected', async (_what, corrupt) => {
    const answer = await deliver(network, async (domain) => {
      const signed = await associate(domain, [base64url, base64url, base64url]);
      return { ...signed, signature: corrupt(signed.signature) };
    });
    const words = expect.stringContaining('has a signature that is neither base64url nor base64');
    expect([answer.status, answer.body.message]).toEqual([502, words]);
  });

  test('without an endpoint the signature of a contract wallet is rejected with the variables to set', async () => {
    const made: Sign = async () => `0x${'5a'.repeat(700)}`;
    const custody = await deliver(network, (domain) =>
      sign({ fid: OWNER, type: 'custody', key: owner.address }, { domain }, made),
    );
    expect([custody.status, custody.body.message]).toEqual([
      502,
      expect.stringMatching(/contract wallet.* CASTELLAN_RPC_OPTIMISM\./),
    ]);
    const auth = await deliver(network, (domain) =>
      sign({ fid: OWNER, type: 'auth', key: owner.address }, { domain }, made),
    );
    expect(auth.body.message).toMatch(/contract wallet.* CASTELLAN_RPC_OPTIMISM or CASTELLAN_RPC_BASE\./);
  });
});

describe('a contract wallet', () => {
  let network: Network;
  let optimism: WalletChain;
  let base: WalletChain;
  const key = privateKeyToAccount(`0x${'32'.repeat(32)}`);
  const stranger = privateKeyToAccount(`0x${'33'.repeat(32)}`);

  beforeAll(async () => {
    [optimism, base] = await Promise.all([startWalletChain(10), startWalletChain(8453)]);
    network = await startNetwork({
      ...LOOPBACK,
      CASTELLAN_RPC_OPTIMISM: optimism.chain.url,
      CASTELLAN_RPC_BASE: base.chain.url,
    });
  });
  afterAll(async () => {
    await network.stop();
    await Promise.all([optimism.chain.stop(), base.chain.stop()]);
  });

  const authKey = (address: Hex): Buffer => Buffer.concat([Buffer.alloc(12), bytesOf(address)]);

  test('as custody address signs its manifest and its events on OP Mainnet only', async () => {
    const wallet = await deployContractWallet(optimism, key.address);
    const fid = nextFid++;
    await registerHolder(network, fid, wallet);
    const header = { fid, type: 'custody', key: wallet };
    const signedBy = (by: Sign) => deliver(network, (domain) => sign(header, { domain }, by));
    expect(await signedBy(byWallet(optimism, wallet, key))).toMatchObject({ status: 200 });
    const broken = expect.stringContaining('has a signature that does not hold.');
    const refused = [byWallet(optimism, wallet, stranger), byWallet(base, wallet, key), byKey(key)];
    for (const by of refused) {
      const { status, body } = await signedBy(by);
      expect([status, body.message]).toEqual([502, broken]);
    }
    await deployContractWallet(base, key.address);
    expect((await signedBy(byWallet(base, wallet, key))).body.message).toEqual(broken);

    const server = await startReceiver(async ({ path }, response) => {
      const domain = `localhost:${server.port}`;
      if (path === '/webhook') return void response.end();
      const accountAssociation = await sign(header, { domain }, byWallet(optimism, wallet, key));
      response.end(JSON.stringify({ accountAssociation, miniapp: { webhookUrl: `http://${domain}/webhook` } }));
    });
    const domain = `localhost:${server.port}`;
    const good = await sign(header, event(), byWallet(optimism, wallet, key));
    expect(await post(network, domain, good)).toMatchObject({ status: 200 });
    const forged = await sign(header, event(), byWallet(optimism, wallet, stranger));
    expect(await post(network, domain, forged)).toMatchObject({
      status: 400,
      body: { property: 'signed_message', message: broken },
    });
    await server.stop();
  });

  test('as auth address signs on Base, whether deployed or not', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const wallet = await contractWalletOf(base, owner.address);
    const fid = nextFid++;
    await registerHolder(network, fid, stranger.address);
    await addKey(network, fid, authKey(wallet), { keyType: 2 });
    const signedBy = (by: Sign, encode = base64url) =>
      deliver(network, (domain) =>
        sign({ fid, type: 'auth', key: wallet }, { domain }, by, [base64url, base64url, encode]),
      );
    expect(await signedBy(byFutureWallet(base, wallet, owner))).toMatchObject({ status: 200 });
    const broken = { status: 502, body: { message: expect.stringContaining('does not hold') } };
    expect(await signedBy(byFutureWallet(base, wallet, stranger))).toMatchObject(broken);
    expect(await signedBy(byWallet(base, wallet, owner))).toMatchObject(broken);
    await deployContractWallet(base, owner.address);
    expect(await signedBy(byWallet(base, wallet, owner), base64)).toMatchObject({ status: 200 });
    expect(await signedBy(byFutureWallet(base, wallet, owner))).toMatchObject({ status: 200 });
    expect(await signedBy(byWallet(base, wallet, stranger))).toMatchObject(broken);
  });

  test('of another account causes no call to its chain', async () => {
    const wallet = await deployContractWallet(base, stranger.address);
    const fid = nextFid++;
    await registerHolder(network, fid, key.address);
    const { status, body } = await deliver(network, (domain) =>
      sign({ fid, type: 'auth', key: wallet }, { domain }, byWallet(base, wallet, stranger)),
    );
    expect([status, body.message]).toEqual([502, expect.stringContaining(`none of account ${fid}`)]);
  });

  test('on a chain that does not respond is reported as such, not as a forgery', async () => {
    const wallet = await contractWalletOf(optimism, key.address);
    const timings = { chainCalls: SHORT_CALLS };
    const environment = { ...LOOPBACK, CASTELLAN_RPC_OPTIMISM: 'http://127.0.0.1:9' };
    const silent = await startNetwork(environment, undefined, { timings });
    const fid = nextFid++;
    await registerHolder(silent, fid, wallet);
    const { status, body } = await deliver(silent, (domain) =>
      sign({ fid, type: 'custody', key: wallet }, { domain }, byWallet(optimism, wallet, key)),
    );
    expect([status, body.message]).toEqual([502, expect.stringMatching(/cannot be checked.* does not answer/)]);
    await silent.stop();
  });
});
