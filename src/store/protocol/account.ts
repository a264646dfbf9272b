import type { ColumnType } from '../../db/bulk-statement.js';
import type { Session } from '../../db/statement.js';
import { insertRows, selectQuery, writeQuery, writeRows } from '../query-function.js';
import { type Camel, columnList, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/** Columns of `account` with user data, and their types. */
export const PROFILE_COLUMNS = {
  claimed_username: 'text',
  display_name: 'text',
  bio: 'text',
  pfp_url: 'text',
  url: 'text',
  banner_url: 'text',
  location: 'text',
  latitude: 'double precision',
  longitude: 'double precision',
  x_username: 'text',
  github_username: 'text',
  primary_eth_address: 'bytea',
  primary_sol_address: 'bytea',
  profile_token: 'text',
  live_url: 'text',
  live_ts: 'integer',
} as const satisfies Record<string, ColumnType>;

export type ProfileColumn = keyof typeof PROFILE_COLUMNS;

const REGISTRATION = {
  fid: 'bigint',
  custody_address: 'bytea',
  recovery_address: 'bytea',
  registered_at: 'timestamptz',
  pro_subscribed_at: 'timestamptz',
  pro_expires_at: 'timestamptz',
} as const satisfies Record<string, ColumnType>;

export type RegistrationRow = Camel<Written<Pick<Tables['account'], keyof typeof REGISTRATION>>>;

/**
 * Inserts missing accounts and lowers the time of their first message (protocol seconds).
 * @returns the accounts that changed
 */
export const insertAccounts = insertRows(
  'upsert_account_first_ts',
  'account',
  { fid: 'bigint', first_ts: 'integer' },
  `on conflict (fid) do update set first_ts = excluded.first_ts
    where account.first_ts is null or account.first_ts > excluded.first_ts
   returning fid`,
).column('fid', (rows: readonly { readonly fid: number; readonly firstTs: number }[]) => [rows]);

const profileUpdateOf = (column: ProfileColumn) =>
  writeRows(
    `update_account_${column}`,
    { fid: 'bigint', value: PROFILE_COLUMNS[column] },
    (rows) => `update account a set ${column} = k.value from (${rows}) k
      where a.fid = k.fid and a.${column} is distinct from k.value returning a.fid`,
  ).column('fid');

const profileUpdates = new Map(
  (Object.keys(PROFILE_COLUMNS) as ProfileColumn[]).map((column) => [column, profileUpdateOf(column)]),
);

/** @returns the accounts whose value changed */
export const updateProfileColumn = async (
  session: Session,
  column: ProfileColumn,
  values: ReadonlyMap<number, unknown>,
): Promise<number[]> => {
  const rows = Array.from(values, ([fid, value]) => ({ fid, value }));
  const update = profileUpdates.get(column) as ReturnType<typeof profileUpdateOf>;
  return update(session, rows);
};

/** Stores the locations of these accounts, for lists of nearby accounts; in the transaction that changes them. */
export const insertLocations = writeQuery(
  'insert_locations',
  `insert into place (latitude, longitude)
    select distinct latitude, longitude from account
     where fid = any(:fids) and latitude is not null and longitude is not null
    on conflict do nothing`,
).done((fids: readonly number[]) => (fids.length === 0 ? undefined : { fids }));

/**
 * Updates the shown name of each account: its claimed name, unless the latest proof of that name (by timestamp, then
 * signature) is for another fid. A name without any proof counts, because dumps lack proofs.
 * @returns the accounts whose name changed
 */
export const updateUsernames = writeQuery(
  'update_usernames',
  `update account a set username = w.username
      from (select c.fid, c.username as before, case when p.fid is null or p.fid = c.fid then c.claimed_username end as username
              from account c
              left join username_proof p on p.name = c.claimed_username
             where c.fid = any(:fids) or c.claimed_username = any(:names)) w
     where a.fid = w.fid and a.username is distinct from w.username
    returning a.fid, w.before, a.username as after`,
).rows((fids: readonly number[], names: readonly string[]) =>
  fids.length === 0 && names.length === 0 ? undefined : { fids, names },
);

/** Stores the registrations that follow from the onchain events of these accounts. */
export const upsertRegistrations = insertRows(
  'upsert_registrations',
  'account',
  REGISTRATION,
  `on conflict (fid) do update set
     custody_address = excluded.custody_address, recovery_address = excluded.recovery_address,
     registered_at = excluded.registered_at, pro_subscribed_at = excluded.pro_subscribed_at,
     pro_expires_at = excluded.pro_expires_at`,
).done((rows: readonly RegistrationRow[]) => [rows]);

export const selectCustodyAddresses = selectQuery(
  'select_custody_addresses',
  'select fid, custody_address as "custodyAddress!" from account where fid = any(:fids) and custody_address is not null',
).rows((fids: readonly number[]) => (fids.length === 0 ? undefined : { fids }));

export const selectProfiles = selectQuery(
  'select_profiles',
  `select ${columnList([...Object.keys(REGISTRATION), ...Object.keys(PROFILE_COLUMNS)])} from account where fid = any(:fids)`,
).rows((fids: readonly number[]) => ({ fids }));

/** @returns those of the accounts that have a pro subscription at this time */
export const selectProFids = selectQuery(
  'select_pro_fids',
  'select fid from account where fid = any(:fids::bigint[]) and pro_expires_at > :at',
).columnSet('fid', (fids: readonly number[], at: Date) => ({ fids, at }));
