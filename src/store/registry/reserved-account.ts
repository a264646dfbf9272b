import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText } from '../table.js';
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
).done();

const AVAILABLE = `(state = 'free' or (state in ('registering', 'reserved') and reserved_until < :now))`;

/**
 * Reserves a wallet's free account for an app, or one whose reservation ended, or whose registration nobody waits for.
 * @returns undefined if there is none
 */
export const claimReservedAccount = writeQuery(
  'claim_reserved_account',
  `update reserved_account set app_id = :appId::uuid, reserved_until = case when fid is null then :claimedUntil::timestamptz else :reservedUntil::timestamptz end,
          state = case when fid is null then 'registering' else 'reserved' end
    where id = (select id from reserved_account
                 where wallet_id = :walletId::uuid and ${AVAILABLE}
                   -- A registration in progress continues a request of the same app, or of nobody.
                   and (state <> 'registering' or app_id is null or app_id = :appId::uuid)
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
  }) => ({
    walletId: claim.walletId,
    now: claim.now,
    appId: claim.appId,
    reservedUntil: claim.reservedUntil,
    claimedUntil: claim.claimedUntil,
  }),
);

/** @returns how many accounts are reserved for an app, or are being registered for it */
export const selectReservationCount = selectQuery(
  'select_reservation_count',
  `select count(*)::integer as "count!" from reserved_account
    where app_id = :appId::uuid and state in ('registering', 'reserved')
      and (state = 'registering' or reserved_until >= :now)`,
).valueOr('count', 0, (appId: string, now: Date) => ({ appId, now }));

/** Makes requests of one app count its reservations one after another. */
export const lockAppReservations = writeQuery(
  'lock_app_reservations',
  'select 1 from app where id = :appId::uuid for update',
).done((appId: string) => ({ appId }));

/** Stores the fid of a registered account: free, or reserved if an app waits for it. */
export const updateAccountRegistered = writeQuery(
  'update_account_registered',
  `update reserved_account set fid = :fid,
          state = case when app_id is null or reserved_until < :now then 'free' else 'reserved' end
    where id = :id::uuid and state = 'registering'`,
).done((id: string, fid: number, now: Date) => ({ id, fid, now }));

/**
 * Extends a claim to a reservation.
 * @param claim the account as it was claimed
 * @returns false if the claim ended before the account was registered
 */
export const updateReservationEnd = writeQuery(
  'update_reservation_end',
  `update reserved_account set reserved_until = :until
    where id = :id::uuid and state = 'reserved' and reserved_until = :reservedUntil? returning id`,
).hasRows((claim: Pick<ReservedAccountRow, 'id' | 'reservedUntil'>, until: Date) => ({
  id: claim.id,
  reservedUntil: claim.reservedUntil,
  until,
}));

/**
 * Changes the state of an account. Its key is erased when the account belongs to a person or was never registered.
 * @returns whether it was in one of the states of `from`
 */
export const updateReservedState = writeQuery(
  'update_reserved_account_state',
  `update reserved_account set state = :to, sealed_key = case when :to in ('transferred', 'failed') then null else sealed_key end
    where id = :id::uuid and state = any(:from::text[]) returning id`,
).hasRows((id: string, from: readonly ReservedAccountRow['state'][], to: ReservedAccountRow['state']) => ({
  id,
  from,
  to,
}));

/** @returns the account with this fid, locked until the transaction ends */
export const lockReservedAccount = writeQuery(
  'lock_reserved_account',
  `select ${LIST} from reserved_account where fid = :fid for update`,
).first((fid: number) => ({ fid }));

export const selectReservedAccount = selectQuery(
  'select_reserved_account',
  `select ${LIST} from reserved_account where fid = :fid`,
).first((fid: number) => ({ fid }));

/**
 * @param custodies addresses, 20 bytes each
 * @returns those that got an account of the reserve when it was registered, as hex without 0x
 */
export const selectReserveCustodies = readQuery(
  'select_reserve_custodies',
  `select encode(custody, 'hex') as "custody!" from reserved_account where custody = any(:custodies::bytea[])`,
).column('custody', (custodies: readonly Uint8Array[]) => ({ custodies }));

/** @returns accounts whose registration is not known to be mined, the oldest first */
export const selectRegisteringAccounts = selectQuery(
  'select_registering_accounts',
  `select ${LIST} from reserved_account where state = 'registering' order by created_at limit :limit`,
).rows((limit: number) => ({ limit }));

/** @returns how many accounts each wallet that ever registered some has ready, or is registering for nobody */
export const selectPools = selectQuery(
  'select_account_pools',
  `select wallet_id as "walletId", count(*) filter (where state = 'free' or (state = 'registering' and app_id is null)
          or (state = 'reserved' and reserved_until < :now))::integer as "available!"
     from reserved_account group by wallet_id`,
).rows((now: Date) => ({ now }));
