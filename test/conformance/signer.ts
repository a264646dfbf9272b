import { randomBytes } from 'node:crypto';
import { createSiweMessage } from 'viem/siwe';
import { expect } from 'vitest';
import { addKey } from '../support/signer.js';
import { type Case, type Clients, casesOf } from './case.js';
import { hex } from './page.js';
import { ALICE, APP_FID, NO_SIGNER, type WriteEnvironment } from './write-environment.js';

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
const developerKey = (): Uint8Array => new Uint8Array(randomBytes(32));
const padded = (address: Uint8Array): Uint8Array => new Uint8Array(Buffer.concat([Buffer.alloc(12), address]));

/** Signs in as the custody wallet of an account. */
const signIn = async ({ api }: Clients, { custody }: WriteEnvironment) => {
  const { nonce } = await api.fetchNonce();
  const message = createSiweMessage({
    address: custody.account.address,
    chainId: 10,
    domain: 'app.example',
    nonce,
    uri: 'https://app.example/login',
    version: '1',
    statement: 'Farcaster Auth',
  });
  return { message, signature: await custody.account.signMessage({ message }) };
};

/** A sponsor signs the bytes of the app's signature, or the service is to pay. */
const sponsors = async ({ custody }: WriteEnvironment, signature: `0x${string}`) => [
  { fid: APP_FID, signature: await custody.account.signMessage({ message: { raw: signature } }) },
  { sponsored_by_neynar: true },
];

/** Keys that accounts let apps write with, and signing in. */
export const signerCases: readonly Case<WriteEnvironment>[] = casesOf<WriteEnvironment>()(
  {
    id: 'create-signer',
    does: 'makes a signer, which an account approves on the chain',
    call: ({ api }) => api.createSigner(),
    look: async ({ api }, { network }) => {
      const made = await api.createSigner();
      expect(made).toMatchObject({ status: 'generated', public_key: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
      await addKey(network, ALICE, bytesOf(made.public_key), { requestFid: APP_FID });
      const read = await api.lookupSigner({ signerUuid: made.signer_uuid });
      expect(read).toMatchObject({ status: 'approved', fid: ALICE });
    },
  },
  {
    id: 'lookup-signer',
    does: 'tells how a signer stands',
    call: ({ api }, { signers }) => api.lookupSigner({ signerUuid: signers.alice }),
    look: async ({ api }, { signers }) => {
      const signer = await api.lookupSigner({ signerUuid: signers.alice });
      expect(signer).toMatchObject({ signer_uuid: signers.alice, status: 'approved', fid: ALICE });
    },
    errors: { 404: ({ api }) => api.lookupSigner({ signerUuid: NO_SIGNER }) },
  },
  {
    id: 'register-signed-key',
    does: 'asks an account to approve a signer, with a sponsor or without',
    call: async ({ api }, environment) => {
      // Where the database is gone none is made, and any will do.
      const made = await environment
        .clients()
        .api.createSigner()
        .catch(() => undefined);
      const { signer_uuid: signerUuid, public_key: key } = made ?? { signer_uuid: NO_SIGNER, public_key: '0x00' };
      return api.registerSignedKey({ signerUuid, ...(await environment.keyRequest(bytesOf(key))) });
    },
    look: async ({ api }, environment) => {
      for (const index of [0, 1]) {
        const { signer_uuid: signerUuid, public_key: key } = await api.createSigner();
        const request = await environment.keyRequest(bytesOf(key));
        const sponsor = (await sponsors(environment, request.signature))[index] as object;
        const redirectUrl = 'https://app.example/done';
        const answer = await api.registerSignedKey({ signerUuid, ...request, redirectUrl, sponsor });
        expect(answer.status).toBe('pending_approval');
        expect(await api.lookupSigner({ signerUuid })).toEqual(answer);
      }
    },
    errors: {
      404: async ({ api }, { keyRequest }) =>
        api.registerSignedKey({ signerUuid: NO_SIGNER, ...(await keyRequest(developerKey())) }),
    },
  },
  {
    id: 'register-signed-key-for-developer-managed-signer',
    does: 'asks an account to approve a key that the developer keeps',
    call: async ({ api }, { keyRequest }) => {
      const key = developerKey();
      return api.registerSignedKeyForDeveloperManagedSigner({ publicKey: hex(key), ...(await keyRequest(key)) });
    },
    look: async ({ api }, environment) => {
      const key = developerKey();
      const request = await environment.keyRequest(key);
      const sponsor = (await sponsors(environment, request.signature))[0] as object;
      const redirectUrl = 'https://app.example/done';
      const asked = { publicKey: hex(key), ...request, redirectUrl, sponsor };
      const answer = await api.registerSignedKeyForDeveloperManagedSigner(asked);
      expect(answer).toMatchObject({ status: 'pending_approval', public_key: hex(key) });
    },
  },
  {
    id: 'lookup-developer-managed-signer',
    does: 'tells how a key stands that the developer keeps',
    call: async ({ api }, environment) => {
      const key = developerKey();
      const asked = { publicKey: hex(key), ...(await environment.keyRequest(key)) };
      await environment
        .clients()
        .api.registerSignedKeyForDeveloperManagedSigner(asked)
        .catch(() => undefined);
      return api.lookupDeveloperManagedSigner({ publicKey: hex(key) });
    },
    look: async ({ api }, environment) => {
      const key = developerKey();
      const asked = { publicKey: hex(key), ...(await environment.keyRequest(key)) };
      const answer = await api.registerSignedKeyForDeveloperManagedSigner(asked);
      expect(await api.lookupDeveloperManagedSigner({ publicKey: hex(key) })).toEqual(answer);
      await addKey(environment.network, ALICE, key, { requestFid: APP_FID });
      const approved = await api.lookupDeveloperManagedSigner({ publicKey: hex(key) });
      expect(approved).toMatchObject({ status: 'approved', fid: ALICE });
    },
  },
  {
    id: 'register-signed-key-for-developer-managed-auth-address',
    does: 'asks an account to let an address sign in for it',
    call: async ({ api }, { keyRequest }) => {
      const address = randomBytes(20);
      const asked = { address: hex(address), ...(await keyRequest(padded(address))) };
      return api.registerSignedKeyForDeveloperManagedAuthAddress(asked);
    },
    look: async ({ api }, environment) => {
      const address = randomBytes(20);
      const request = await environment.keyRequest(padded(address));
      const sponsor = (await sponsors(environment, request.signature))[0] as object;
      const asked = { address: hex(address), ...request, redirectUrl: 'https://app.example/done', sponsor };
      const answer = await api.registerSignedKeyForDeveloperManagedAuthAddress(asked);
      expect(answer).toMatchObject({ status: 'pending_approval', address: hex(address) });
    },
  },
  {
    id: 'lookup-developer-managed-auth-address',
    does: 'tells how an address stands that is to sign in',
    call: async ({ api }, environment) => {
      const address = randomBytes(20);
      const asked = { address: hex(address), ...(await environment.keyRequest(padded(address))) };
      await environment
        .clients()
        .api.registerSignedKeyForDeveloperManagedAuthAddress(asked)
        .catch(() => undefined);
      return api.lookupDeveloperManagedAuthAddress({ address: hex(address) });
    },
    look: async ({ api }, environment) => {
      const address = randomBytes(20);
      const asked = { address: hex(address), ...(await environment.keyRequest(padded(address))) };
      await api.registerSignedKeyForDeveloperManagedAuthAddress(asked);
      await addKey(environment.network, ALICE, padded(address), { requestFid: APP_FID, keyType: 2 });
      const answer = await api.lookupDeveloperManagedAuthAddress({ address: hex(address) });
      expect(answer).toMatchObject({ status: 'approved', fid: ALICE });
    },
  },
  {
    id: 'fetch-nonce',
    does: 'draws a nonce, another one each time',
    call: ({ api }) => api.fetchNonce(),
    look: async ({ api }) => {
      const drawn = [await api.fetchNonce(), await api.fetchNonce()].map(({ nonce }) => nonce);
      expect(new Set(drawn).size).toBe(2);
    },
  },
  {
    id: 'fetch-signers',
    does: 'lists the signers of whom an address signs in for',
    call: async ({ api }, environment) => {
      const signed = await signIn(environment.clients(), environment).catch(() => ({
        message: 'without a nonce',
        signature: '0x',
      }));
      return api.fetchSigners(signed);
    },
    look: async (clients, environment) => {
      const made = await clients.api.createSigner();
      await addKey(environment.network, APP_FID, bytesOf(made.public_key));
      const { signers } = await clients.api.fetchSigners(await signIn(clients, environment));
      expect(signers).toMatchObject([{ signer_uuid: made.signer_uuid, fid: APP_FID, status: 'approved' }]);
    },
  },
  {
    id: 'fetch-authorization-url',
    does: 'says that this way of signing in is gone',
    call: ({ api }) => api.fetchAuthorizationUrl({ clientId: NO_SIGNER, responseType: 'code' }),
    look: ({ api }) => api.fetchAuthorizationUrl({ clientId: NO_SIGNER, responseType: 'code' }),
    beyond: { 200: 'The flow is retired, as the contract says: it answers 410 to every sound request.' },
  },
);
