import type { Operation } from '../http/operation.js';
import { deleteVerification } from './delete-verification.js';
import { fetchBulkUsers } from './fetch-bulk-users.js';
import { fetchBulkUsersByEthOrSolAddress } from './fetch-bulk-users-by-eth-or-sol-address.js';
import { fetchUserInteractions } from './fetch-user-interactions.js';
import { fetchUsersByLocation } from './fetch-users-by-location.js';
import { fetchVerifications } from './fetch-verifications.js';
import { getUserBestFriends } from './get-user-best-friends.js';
import { lookupUserByCustodyAddress } from './lookup-user-by-custody-address.js';
import { lookupUserByUsername } from './lookup-user-by-username.js';
import { lookupUsersByXUsername } from './lookup-users-by-x-username.js';
import { publishVerification } from './publish-verification.js';
import { searchUser } from './search-user.js';
import { updateUser } from './update-user.js';

export const userRoutes: readonly Operation[] = [
  fetchBulkUsers,
  fetchBulkUsersByEthOrSolAddress,
  lookupUserByUsername,
  lookupUserByCustodyAddress,
  lookupUsersByXUsername,
  searchUser,
  fetchUsersByLocation,
  fetchVerifications,
  getUserBestFriends,
  fetchUserInteractions,
  updateUser,
  publishVerification,
  deleteVerification,
];
