// Calls the vendor as the API routes of a generated mini app do: each route with the client that the generator installs,
// and with the key that the generator wrote into the environment of the app.
import { loadEnvFile } from 'node:process';
import { Configuration, NeynarAPIClient } from '@neynar/nodejs-sdk';
import { mnemonicToAccount } from 'viem/accounts';
import { outcomes } from '../outcome.mjs';

const { environment, requests } = JSON.parse(process.env.INPUT);
loadEnvFile(environment);
// It reads the key when it is loaded.
const { parseWebhookEvent, verifyAppKeyWithNeynar } = await import('@farcaster/miniapp-node');
const apiKey = process.env.NEYNAR_API_KEY;
// Without a base path of its own: that of the vendor.
const client = new NeynarAPIClient(new Configuration({ apiKey }));

/** EIP-712, Farcaster SignedKeyRequestValidator on OP Mainnet. */
const KEY_REQUEST = {
  domain: {
    name: 'Farcaster SignedKeyRequestValidator',
    version: '1',
    chainId: 10,
    verifyingContract: '0x00000000FC700472606ED4fA22623Acf62c60553',
  },
  types: {
    SignedKeyRequest: [
      { name: 'requestFid', type: 'uint256' },
      { name: 'key', type: 'bytes' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'SignedKeyRequest',
};

const ROUTES = {
  'auth/nonce': () => client.fetchNonce(),
  'auth/signers': (signedIn) => client.fetchSigners(signedIn),
  'auth/session-signers': async (signedIn) => {
    const { signers } = await client.fetchSigners(signedIn);
    const { users } = await client.fetchBulkUsers({ fids: [signers[0].fid] });
    return { signers, user: users[0] };
  },
  'auth/signer (POST)': () => client.createSigner(),
  'auth/signer': ({ signerUuid }) => client.lookupSigner({ signerUuid }),
  'auth/signer/signed_key': async ({ signerUuid, publicKey }) => {
    const account = mnemonicToAccount(process.env.SEED_PHRASE);
    const { user } = await client.lookupUserByCustodyAddress({ custodyAddress: account.address });
    const deadline = Math.floor(Date.now() / 1000) + 86_400;
    const message = { requestFid: BigInt(user.fid), key: publicKey, deadline: BigInt(deadline) };
    const signature = await account.signTypedData({ ...KEY_REQUEST, message });
    return client.registerSignedKey({ appFid: user.fid, deadline, signature, signerUuid });
  },
  users: async ({ fids }) => client.fetchBulkUsers({ fids }),
  'best-friends': async ({ fid }) => {
    const url = `https://api.neynar.com/v2/farcaster/user/best_friends?fid=${fid}&limit=3`;
    const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  },
  'send-notification': async ({ fid }) => {
    const notification = {
      title: 'Test notification',
      body: 'Sent at a test',
      target_url: process.env.NEXT_PUBLIC_URL,
    };
    const result = await client.publishFrameNotifications({ targetFids: [fid], notification });
    return { deliveries: result.notification_deliveries.length };
  },
  webhook: ({ signed }) => parseWebhookEvent(signed, verifyAppKeyWithNeynar),
};

const calls = Object.entries(requests).map(([name, { route, ...input }]) => [name, () => ROUTES[route](input)]);
console.log(JSON.stringify(await outcomes([], Object.fromEntries(calls))));
