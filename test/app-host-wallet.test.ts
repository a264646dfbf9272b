import { encodeHeader, encodePayload, encodeSignature, type JsonFarcasterSignature } from '@farcaster/jfs';
import { createJsonFarcasterSignature } from '@farcaster/miniapp-node';
import { ed25519 } from '@noble/curves/ed25519';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSecondApp } from './support/app.js';
import { associate } from './support/mini-app.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { addKey, registerAccount, removeKey } from './support/signer.js';

/** Which keys may sign a user's events, and for how long. The mini app takes whatever comes. */
const HOST = 7_600;
let nextFid = 7_700;
let nonce = 0;
let network: Network;
let target: Receiver;
let told: unknown[] = [];

/** A mini app whose owner is not stored here. */
const startTarget = async (): Promise<Receiver> => {
  const server = await startReceiver(async ({ path, body }, response) => {
    const domain = `localhost:${server.port}`;
    if (path === '/webhook') {
      told.push(JSON.parse(body));
      response.end();
      return;
    }
    const accountAssociation = await associate(privateKeyToAccount(`0x${'55'.repeat(32)}`), 424_242, domain);
    response.end(JSON.stringify({ accountAssociation, miniapp: { webhookUrl: `http://${domain}/webhook` } }));
  });
  return server;
};
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  await network.sql('update app set fid = $1', [HOST]);
  target = await startTarget();
});
beforeEach(() => {
  told = [];
});
afterAll(async () => {
  await target.stop();
  await network.stop();
});

const post = (
  signed_message: JsonFarcasterSignature,
  to = target,
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  network.send(
    'POST',
    '/v2/social/app_host/user/event/',
    { app_domain: `localhost:${to.port}`, signed_message },
    headers,
  );
const event = (more: object = {}) => ({ event: 'frame_added', nonce: `${nonce++}`, ...more });
const walletSigns = async (
  wallet: PrivateKeyAccount,
  { fid, type = 'custody' }: { readonly fid: number; readonly type?: 'custody' | 'auth' },
): Promise<JsonFarcasterSignature> => {
  const header = encodeHeader({ fid, type, key: wallet.address });
  const payload = encodePayload(event());
  const signature = await wallet.signMessage({ message: `${header}.${payload}` });
  return { header, payload, signature: encodeSignature(Buffer.from(signature.slice(2), 'hex')) };
};
const expectRejected = async (signed: JsonFarcasterSignature): Promise<void> => {
  expect(await post(signed)).toMatchObject({ status: 400, body: { property: 'signed_message' } });
  expect(told).toEqual([]);
};

test('the custody wallet of an account may sign, with the right key type and for no other account', async () => {
  const fid = nextFid++;
  const { account } = await registerAccount(network, fid);
  const stranger = (await registerAccount(network, nextFid++)).account;
  await expectRejected(await walletSigns(stranger, { fid }));
  await expectRejected(await walletSigns(account, { fid: fid + 1 }));
  await expectRejected(await walletSigns(account, { fid, type: 'auth' }));
  await expectRejected(await walletSigns(account, { fid: 7_999_999 }));
  const good = await walletSigns(account, { fid });
  expect(await post(good)).toMatchObject({ status: 200 });
  expect(told).toEqual([good]);
});

test('an auth address may sign as long as the account approves it', async () => {
  const fid = nextFid++;
  await registerAccount(network, fid);
  const auth = privateKeyToAccount(`0x${'66'.repeat(32)}`);
  const key = Buffer.concat([Buffer.alloc(12), Buffer.from(auth.address.slice(2), 'hex')]);
  await expectRejected(await walletSigns(auth, { fid, type: 'auth' }));
  await addKey(network, fid, key, { keyType: 2 });
  await expectRejected(await walletSigns(auth, { fid, type: 'custody' }));
  expect((await post(await walletSigns(auth, { fid, type: 'auth' }))).status).toBe(200);
  await removeKey(network, fid, key, 2);
  told = [];
  await expectRejected(await walletSigns(auth, { fid, type: 'auth' }));
});

test('a revoked key cannot sign, and neither can a key of a host without an account', async () => {
  const fid = nextFid++;
  await registerAccount(network, fid);
  const privateKey = ed25519.utils.randomPrivateKey();
  const key = ed25519.getPublicKey(privateKey);
  await addKey(network, fid, key, { requestFid: HOST });
  const sign = (payload: object = event()) =>
    createJsonFarcasterSignature({ fid, type: 'app_key', privateKey, payload: Buffer.from(JSON.stringify(payload)) });
  expect((await post(sign())).status).toBe(200);
  told = [];
  // Nobody needs a long event, and the outbox would have to keep it.
  await expectRejected(sign(event({ more: 'x'.repeat(5_000) })));
  const other = await createSecondApp(network);
  expect(await post(sign(), target, other.headers)).toMatchObject({
    status: 400,
    body: { property: 'signed_message' },
  });
  await removeKey(network, fid, key);
  await expectRejected(sign());
});

test("a wallet's signature is accepted for one domain only, from any app", async () => {
  const fid = nextFid++;
  const { account } = await registerAccount(network, fid);
  const signed = await walletSigns(account, { fid });
  expect((await post(signed)).status).toBe(200);
  const other = await createSecondApp(network);
  const second = await startTarget();
  try {
    for (const [to, headers] of [
      [second, other.headers],
      [target, other.headers],
      [second, {}],
      [target, {}],
    ] as const) {
      expect(await post(signed, to, headers)).toMatchObject({ status: 400, body: { property: 'signed_message' } });
    }
    expect(told).toHaveLength(1);
  } finally {
    await second.stop();
  }
});
