import { AddressRole } from '../protocol/verification.js';
import { selectQuery } from '../query-function.js';

/** An account of a chain and its mined nonces. */
export interface MinedAccount {
  readonly walletId: string;
  /** 20 bytes. */
  readonly address: Buffer;
  /** One more than the highest nonce that was mined. */
  readonly next: number;
}

/** @returns the wallets with mined transactions on a chain. */
export const selectMinedAccounts = selectQuery<MinedAccount>(
  'select_mined_accounts',
  `select t.wallet_id as "walletId", w.address, max(t.nonce) + 1 as next
     from chain_transaction t join wallet w on w.id = t.wallet_id
    where t.chain_id = $1 and t.state = 'mined'
    group by t.wallet_id, w.address
    order by t.wallet_id`,
).rows((chainId: number) => [chainId]);

/** @returns verified Ethereum addresses of the first accounts, 20 bytes each. */
export const selectVerifiedAddresses = selectQuery<{ address: Buffer }>(
  'select_verified_addresses',
  `select address from address_owner where role = $1 and length(address) = 20 order by fid, address limit $2`,
).column('address', (limit: number) => [AddressRole.verified, limit]);

/** An account with its addresses, 20 bytes each. */
export interface RegisteredAccount {
  readonly fid: number;
  readonly custody: Buffer;
  readonly recovery: Buffer | null;
}

/** @returns the first accounts that have a custody address */
export const selectRegisteredAccounts = selectQuery<RegisteredAccount>(
  'select_registered_accounts',
  `select fid, custody_address as custody, recovery_address as recovery from account
    where length(custody_address) = 20
    order by fid limit $1`,
).rows((limit: number) => [limit]);

/** @returns the highest fid below another one; 0 without one */
export const selectHighestFid = selectQuery<{ fid: number | null }>(
  'select_highest_fid',
  `select max(fid) as fid from account where fid < $1`,
).valueOr('fid', 0, (below: number) => [below]);
