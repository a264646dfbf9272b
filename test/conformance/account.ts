import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { newPerson, onchainBody, onchainSigner, transferBody } from '../support/account.js';
import { registerAccount } from '../support/registry.js';
import { FIDS } from '../support/seed.js';
import { type AccountEnvironment, ALLOWED_CALL } from './account-environment.js';
import { type Case, type Clients, casesOf } from './case.js';

const NO_WALLET = '00000000-0000-4000-8000-000000000000';
const LATE = 'Only a database that breaks off while it commits leaves it open: test/wallet-uncertain-outcome.test.ts.';

const withWallet = (clients: Clients, walletId: string) => clients.with({ 'x-wallet-id': walletId });

type OnchainRequest = Parameters<Clients['api']['registerAccountOnchain']>[0];

const registerOnchain = async (
  clients: Clients,
  environment: AccountEnvironment,
  more: object = {},
  walletId?: string,
) => {
  const { chain } = environment;
  const body = { ...(await onchainBody(chain, newPerson())), ...more } as unknown as OnchainRequest;
  return withWallet(clients, walletId ?? environment.walletId).api.registerAccountOnchain(body);
};

/** @returns an account that is reserved; 1 if the service cannot */
const reserved = async (clients: Clients, { walletId }: AccountEnvironment): Promise<number> => {
  const { status, body } = await withWallet(clients, walletId).plain('GET', '/v2/farcaster/user/fid/');
  return status === 200 ? body.fid : 1;
};

const registerReserved = async (
  clients: Clients,
  environment: AccountEnvironment,
  more: object = {},
  { walletId = environment.walletId, fid }: { walletId?: string; fid?: number } = {},
) => {
  const account = fid ?? (await reserved(clients, environment));
  const { requested_user_custody_address, ...rest } = await transferBody(environment.chain, account, newPerson());
  const request = { ...rest, requestedUserCustodyAddress: requested_user_custody_address, ...more };
  return withWallet(clients, walletId).api.registerAccount(request);
};

/** The account of a person, registered on the chain alone. */
const onChainOnly = ({ chain }: AccountEnvironment): Promise<bigint> => registerAccount(chain, newPerson());

const buy = async (clients: Clients, environment: AccountEnvironment, more: object = {}, walletId?: string) => {
  const fid = Number(await onChainOnly(environment));
  return withWallet(clients, walletId ?? environment.walletId).api.buyStorage({ fid, ...more });
};

/** Accounts, names and storage. */
export const accountCases: readonly Case<AccountEnvironment>[] = casesOf<AccountEnvironment>()(
  {
    id: 'get-fresh-account-FID',
    does: 'reserves an account',
    call: (clients, { walletId }) => withWallet(clients, walletId).api.getFreshAccountFID(),
    look: async (clients, { walletId }) => {
      const { api } = withWallet(clients, walletId);
      const [one, other] = [await api.getFreshAccountFID(), await api.getFreshAccountFID()];
      expect(other.fid).toBeGreaterThan(one.fid);
    },
    errors: {
      400: (clients) => clients.plain('GET', '/v2/farcaster/user/fid/'),
      403: (clients, { foreignWalletId }) => withWallet(clients, foreignWalletId).api.getFreshAccountFID(),
      404: (clients) => withWallet(clients, NO_WALLET).api.getFreshAccountFID(),
    },
  },
  {
    id: 'register-account',
    does: 'gives a reserved account to a person',
    call: (clients, environment) => registerReserved(clients, environment),
    look: async (clients, environment) => {
      const fname = `n${Date.now()}`.slice(0, 16);
      const created = await clients.api.createSigner();
      const signer = {
        uuid: created.signer_uuid,
        app_fid: 1,
        deadline: 1,
        signed_key_request_metadata_signature: '0x',
      };
      await expect(registerReserved(clients, environment, { signer })).rejects.toThrow();
      const answer = await registerReserved(clients, environment, { fname, metadata: { bio: 'New here.' } });
      expect(answer).toMatchObject({ success: true, signers: [{ status: 'approved' }], user: { username: fname } });
    },
    unsent: { 'body signer': 'A signed request of an app is sent in test/account-reserve.test.ts.' },
    errors: {
      403: (clients, environment) =>
        registerReserved(clients, environment, {}, { walletId: environment.foreignWalletId }),
      404: (clients, environment) => registerReserved(clients, environment, {}, { fid: 9_000_000 }),
      409: async (clients, environment) => {
        const answer = await registerReserved(clients, environment);
        return registerReserved(clients, environment, {}, { fid: answer.user?.fid ?? 0 });
      },
    },
    beyond: { 504: LATE },
  },
  {
    id: 'register-account-onchain',
    does: 'registers an account with signers, once for a key',
    call: (clients, environment) => registerOnchain(clients, environment),
    look: async (clients, environment) => {
      const { chain } = environment;
      const [app, person] = [newPerson(), newPerson()];
      const requester = { fid: await registerAccount(chain, app), custody: app };
      const signer = await onchainSigner(chain, person, requester);
      const request = {
        ...(await onchainBody(chain, person)),
        signers: [signer.body],
        storageUnits: 1,
        preRegistrationCalls: [{ ...ALLOWED_CALL, value: 0 }],
        idem: randomUUID(),
      } as unknown as OnchainRequest;
      const { api } = withWallet(clients, environment.walletId);
      const first = await api.registerAccountOnchain(request);
      expect(await api.registerAccountOnchain(request)).toEqual(first);
      expect(first.transaction_hash).toMatch(/^0x[0-9a-f]{64}$/);
    },
    errors: {
      403: (clients, environment) => registerOnchain(clients, environment, {}, environment.foreignWalletId),
      404: (clients, environment) => registerOnchain(clients, environment, {}, NO_WALLET),
      409: async (clients, environment) => {
        const idem = randomUUID();
        await registerOnchain(clients, environment, { idem });
        return registerOnchain(clients, environment, { idem });
      },
    },
    beyond: { 504: LATE },
  },
  {
    id: 'is-fname-available',
    does: 'tells whether a name is free',
    call: ({ api }) => api.isFnameAvailable({ fname: 'alice' }),
    look: async ({ api }) => {
      expect(await api.isFnameAvailable({ fname: 'alice' })).toEqual({ available: false });
      expect(await api.isFnameAvailable({ fname: 'nobody-yet' })).toEqual({ available: true });
    },
  },
  {
    id: 'lookup-user-storage-allocations',
    does: 'lists what was rented',
    call: ({ api }) => api.lookupUserStorageAllocations({ fid: FIDS.alice }),
    look: async ({ api }) => {
      const answer = await api.lookupUserStorageAllocations({ fid: FIDS.alice });
      expect(answer.allocations?.[0]).toMatchObject({ object: 'storage_allocation', user: { fid: FIDS.alice } });
    },
  },
  {
    id: 'lookup-user-storage-usage',
    does: 'counts what fills the limits',
    call: ({ api }) => api.lookupUserStorageUsage({ fid: FIDS.alice }),
    look: async ({ api }) => {
      const { casts } = await api.lookupUserStorageUsage({ fid: FIDS.alice });
      expect(casts?.used).toBeGreaterThan(3);
      expect(casts?.capacity).toBeGreaterThan(casts?.used as number);
    },
  },
  {
    id: 'buy-storage',
    does: 'rents storage, once for a key',
    call: (clients, environment) => buy(clients, environment),
    look: async (clients, environment) => {
      const fid = Number(await onChainOnly(environment));
      const { api } = withWallet(clients, environment.walletId);
      const request = { fid, units: 2, idem: randomUUID() };
      const first = await api.buyStorage(request);
      expect(await api.buyStorage(request)).toEqual(first);
      expect(first.allocations).toHaveLength(1);
    },
    errors: {
      403: (clients, environment) => buy(clients, environment, {}, environment.foreignWalletId),
      404: (clients, environment) => buy(clients, environment, {}, NO_WALLET),
      409: async (clients, environment) => {
        const idem = randomUUID();
        await buy(clients, environment, { idem });
        return buy(clients, environment, { idem });
      },
    },
    beyond: { 504: LATE },
  },
);
