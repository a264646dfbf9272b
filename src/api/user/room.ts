import type { Operation } from '../operation.js';
import { fetchBulkUsers } from './fetch-bulk-users.js';
import { fetchBulkUsersByEthOrSolAddress } from './fetch-bulk-users-by-eth-or-sol-address.js';
import { lookupUserByCustodyAddress } from './lookup-user-by-custody-address.js';
import { lookupUserByUsername } from './lookup-user-by-username.js';

export const userRoom: readonly Operation[] = [
  fetchBulkUsers,
  fetchBulkUsersByEthOrSolAddress,
  lookupUserByUsername,
  lookupUserByCustodyAddress,
];
