import { AddressRole } from '../protocol/verification.js';
import { selectQuery } from '../query-function.js';

/**
 * @returns the wallets with mined transactions on a chain: `address` has 20 bytes, `next` is one more than the highest
 *   nonce that was mined
 */
export const selectMinedAccounts = selectQuery(
  'select_mined_accounts',
  `select t.wallet_id as "walletId", w.address, max(t.nonce) + 1 as "next!"
     from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.chain_id = :chainId and t.state = 'mined'
    group by t.wallet_id, w.address
    order by t.wallet_id`,
).rows((chainId: number) => ({ chainId }));

/** @returns verified Ethereum addresses of the first accounts, 20 bytes each. */
export const selectVerifiedAddresses = selectQuery(
  'select_verified_addresses',
  `select address from address_owner where role = :role and length(address) = 20 order by fid, address limit :limit`,
).column('address', (limit: number) => ({ role: AddressRole.verified, limit }));

/** @returns the first accounts that have a custody address, with their addresses of 20 bytes */
export const selectRegisteredAccounts = selectQuery(
  'select_registered_accounts',
  `select fid, custody_address as "custody!", recovery_address as recovery from account
    where length(custody_address) = 20
    order by fid limit :limit`,
).rows((limit: number) => ({ limit }));

/** @returns the highest fid below another one; 0 without one */
export const selectHighestFid = selectQuery(
  'select_highest_fid',
  `select max(fid) as fid from account where fid < :below`,
).valueOr('fid', 0, (below: number) => ({ below }));
