import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText, valuesOf, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/** An account that a wallet registered to a key of this service. */
export type ReservedAccountRow = Camel<Tables['reserved_account']>;

const COLUMNS = [
  'id',
  'wallet_id',
  'transaction_id',
  'fid',
  'custody',
  'sealed_key',
  'state',
  'app_id',
  'reserved_until',
  'created_at',
] as const;
const LIST = columnList(COLUMNS);

/** Stores an account together with the transaction that registers it. */
export const insertReservedAccount = writeQuery(
  'insert_reserved_account',
  insertText('reserved_account', COLUMNS),
).done((row: Camel<Written<Tables['reserved_account']>>) => valuesOf(COLUMNS, row));

const AVAILABLE = `(state = 'free' or (state in ('registering', 'reserved') and reserved_until < $2))`;

/**
 * Reserves a wallet's free account for an app, or one whose reservation ended, or whose registration nobody waits for.
 * @returns undefined if there is none
 */
export const claimReservedAccount = writeQuery<ReservedAccountRow>(
  'claim_reserved_account',
  `update reserved_account set app_id = $3::uuid, reserved_until = case when fid is null then $5::timestamptz else $4::timestamptz end,
          state = case when fid is null then 'registering' else 'reserved' end
    where id = (select id from reserved_account
                 where wallet_id = $1::uuid and ${AVAILABLE}
                   -- A registration in progress continues a request of the same app, or of nobody.
                   and (state <> 'registering' or app_id is null or app_id = $3::uuid)
                 order by fid is null, created_at, id limit 1 for update skip locked)
   returning ${LIST}`,
).first(
  (claim: {
    readonly walletId: string;
    readonly appId: string;
    readonly now: Date;
    /** End of the reservation of a registered account. */
    readonly reservedUntil: Date;
    /** Until when this request waits for a registration. */
    readonly claimedUntil: Date;
  }) => [claim.walletId, claim.now, claim.appId, claim.reservedUntil, claim.claimedUntil],
);

/** @returns how many accounts are reserved for an app, or are being registered for it */
export const selectReservationCount = selectQuery<{ count: number }>(
  'select_reservation_count',
  `select count(*)::integer as count from reserved_account
    where app_id = $1::uuid and state in ('registering', 'reserved')
      and (state = 'registering' or reserved_until >= $2)`,
).valueOr('count', 0, (appId: string, now: Date) => [appId, now]);

/** Makes requests of one app count its reservations one after another. */
export const lockAppReservations = writeQuery(
  'lock_app_reservations',
  'select 1 from app where id = $1::uuid for update',
).done((appId: string) => [appId]);

/** Stores the fid of a registered account: free, or reserved if an app waits for it. */
export const updateAccountRegistered = writeQuery(
  'update_account_registered',
  `update reserved_account set fid = $2,
          state = case when app_id is null or reserved_until < $3 then 'free' else 'reserved' end
    where id = $1::uuid and state = 'registering'`,
).done((id: string, fid: number, now: Date) => [id, fid, now]);

/**
 * Extends a claim to a reservation.
 * @param claim the account as it was claimed
 * @returns false if the claim ended before the account was registered
 */
export const updateReservationEnd = writeQuery(
  'update_reservation_end',
  `update reserved_account set reserved_until = $3
    where id = $1::uuid and state = 'reserved' and reserved_until = $2 returning id`,
).hasRows((claim: Pick<ReservedAccountRow, 'id' | 'reservedUntil'>, until: Date) => [
  claim.id,
  claim.reservedUntil,
  until,
]);

/**
 * Changes the state of an account. Its key is erased when the account belongs to a person or was never registered.
 * @returns whether it was in one of the states of `from`
 */
export const updateReservedState = writeQuery(
  'update_reserved_account_state',
  `update reserved_account set state = $3, sealed_key = case when $3 in ('transferred', 'failed') then null else sealed_key end
    where id = $1::uuid and state = any($2::text[]) returning id`,
).hasRows((id: string, from: readonly ReservedAccountRow['state'][], to: ReservedAccountRow['state']) => [
  id,
  from,
  to,
]);

/** @returns the account with this fid, locked until the transaction ends */
export const lockReservedAccount = writeQuery<ReservedAccountRow>(
  'lock_reserved_account',
  `select ${LIST} from reserved_account where fid = $1 for update`,
).first((fid: number) => [fid]);

export const selectReservedAccount = selectQuery<ReservedAccountRow>(
  'select_reserved_account',
  `select ${LIST} from reserved_account where fid = $1`,
).first((fid: number) => [fid]);

/**
 * @param custodies addresses, 20 bytes each
 * @returns those that got an account of the reserve when it was registered, as hex without 0x
 */
export const selectReserveCustodies = readQuery<{ custody: string }>(
  'select_reserve_custodies',
  "select encode(custody, 'hex') as custody from reserved_account where custody = any($1::bytea[])",
).column('custody', (custodies: readonly Uint8Array[]) => [custodies]);

/** @returns accounts whose registration is not known to be mined, the oldest first */
export const selectRegisteringAccounts = selectQuery<ReservedAccountRow>(
  'select_registering_accounts',
  `select ${LIST} from reserved_account where state = 'registering' order by created_at limit $1`,
).rows((limit: number) => [limit]);

/** @returns how many accounts each wallet that ever registered some has ready, or is registering for nobody */
export const selectPools = selectQuery<{ walletId: string; available: number }>(
  'select_account_pools',
  `select wallet_id as "walletId", count(*) filter (where state = 'free' or (state = 'registering' and app_id is null)
          or (state = 'reserved' and reserved_until < $1))::integer as available
     from reserved_account group by wallet_id`,
).rows((now: Date) => [now]);
