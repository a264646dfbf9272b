import { buyStorage as buy } from '../../account/storage.js';
import { afterCommit } from '../../db/commit-outcome.js';
import { BuyStorageReqBody, StorageAllocationsResponse } from '../../schema/account/storage.js';
import { idempotent } from '../../write/idempotency.js';
import { walletIdHeader } from '../http/idempotency-key.js';
import { operation } from '../http/operation.js';
import { viewAllocations } from './view-storage.js';

const ID = 'buy-storage';

export const buyStorage = operation({
  id: ID,
  method: 'POST',
  path: '/v2/social/storage/buy/',
  tags: ['Storage'],
  title: 'Rent storage',
  summary: 'Rent storage for a user for a year; the wallet pays.',
  // Transactions of a wallet.
  cost: { fixed: 150 },
  scope: 'wallet',
  waitsOutside: true,
  headers: walletIdHeader,
  body: BuyStorageReqBody,
  bodyExample: { fid: 1, units: 1, idem: 'storage-17' },
  response: StorageAllocationsResponse,
  errors: [400, 403, 404, 409, 500, 504],
  invalidBody: 'validation',
  handle: async ({ body, caller, headers }, services) => {
    const { accounts, wallets } = services;
    const wallet = await wallets.use(caller.organizationId, headers['x-wallet-id']);
    const { appId } = caller;
    const { fid, units = 1, idem } = body;
    const request = { appId, operation: ID, idem, body: { wallet: wallet.id, fid, units } };
    return idempotent(accounts, request, async (idempotencyRecord) => {
      await buy(accounts, { appId, wallet, fid, units, idempotencyRecord });
      return afterCommit(() => viewAllocations(services, fid));
    });
  },
});
