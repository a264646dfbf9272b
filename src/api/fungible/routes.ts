import type { Operation } from '../http/operation.js';
import { deployFungible } from './deploy-fungible.js';
import { fetchBulkRelevantFungibleOwners } from './fetch-bulk-relevant-fungible-owners.js';
import { fetchFungibleTrades } from './fetch-fungible-trades.js';
import { fetchFungibles } from './fetch-fungibles.js';
import { fetchRelevantFungibleOwners } from './fetch-relevant-fungible-owners.js';
import { fetchTrendingFungibles } from './fetch-trending-fungibles.js';
import { sendFungiblesToUsers } from './send-fungibles-to-users.js';

export const fungibleRoutes: readonly Operation[] = [
  fetchFungibles,
  fetchFungibleTrades,
  fetchTrendingFungibles,
  fetchRelevantFungibleOwners,
  fetchBulkRelevantFungibleOwners,
  sendFungiblesToUsers,
  deployFungible,
];
