import type { Operation } from '../operation.js';
import { batchGetTokenMetadata } from './batch-get-token-metadata.js';
import { fetchUserBalance } from './fetch-user-balance.js';
import { getTokenMetadata } from './get-token-metadata.js';
import { getWalletBalances } from './get-wallet-balances.js';

export const onchainRoom: readonly Operation[] = [
  getWalletBalances,
  fetchUserBalance,
  getTokenMetadata,
  batchGetTokenMetadata,
];
