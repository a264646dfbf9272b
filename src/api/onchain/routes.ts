import type { Operation } from '../http/operation.js';
import { batchGetTokenMetadata } from './batch-get-token-metadata.js';
import { fetchUserBalance } from './fetch-user-balance.js';
import { getTokenMetadata } from './get-token-metadata.js';
import { getWalletBalances } from './get-wallet-balances.js';

export const onchainRoutes: readonly Operation[] = [
  getWalletBalances,
  fetchUserBalance,
  getTokenMetadata,
  batchGetTokenMetadata,
];
