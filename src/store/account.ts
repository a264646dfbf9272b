import { type ColumnType, insertRows, rowSource } from './bulk.js';
import type { Session } from './database.js';

/** The columns of `account` that user data fills, with their types. */
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

/** What the onchain events say of an account. */
export interface RegistrationRow {
  readonly fid: number;
  readonly custody_address: Uint8Array | null;
  readonly recovery_address: Uint8Array | null;
  readonly registered_at: Date | null;
  readonly pro_subscribed_at: Date | null;
  readonly pro_expires_at: Date | null;
}

/** Makes sure that these accounts exist and know the time of their earliest message (protocol seconds). */
export const insertAccounts = async (
  session: Session,
  rows: readonly { readonly fid: number; readonly first_ts: number }[],
): Promise<number[]> => {
  const changed = await insertRows<{ fid: number }>(
    session,
    'account',
    { fid: 'bigint', first_ts: 'integer' },
    rows,
    `on conflict (fid) do update set first_ts = excluded.first_ts, version = account.version + 1
      where account.first_ts is null or account.first_ts > excluded.first_ts
     returning fid`,
  );
  return changed.map((row) => row.fid);
};

/** @returns the accounts whose column really changed. */
export const updateProfileColumn = async (
  session: Session,
  column: ProfileColumn,
  values: ReadonlyMap<number, unknown>,
): Promise<number[]> => {
  const rows = Array.from(values, ([fid, value]) => ({ fid, value }));
  const source = rowSource({ fid: 'bigint', value: PROFILE_COLUMNS[column] }, rows);
  const changed = await session.run<{ fid: number }>(
    `update account a set ${column} = k.value, version = a.version + 1 from (${source.select}) k
      where a.fid = k.fid and a.${column} is distinct from k.value returning a.fid`,
    source.params,
  );
  return changed.map((row) => row.fid);
};

/** Makes sure that lists of who is near find the places where these accounts are; before their commit. */
export const insertPlacesOf = async (session: Session, fids: readonly number[]): Promise<void> => {
  if (fids.length === 0) return;
  await session.run(
    `insert into place (latitude, longitude)
     select distinct latitude, longitude from account
      where fid = any($1) and latitude is not null and longitude is not null
     on conflict do nothing`,
    [fids],
  );
};

/** An account that shows another name now; null: none. */
export interface UsernameChange {
  readonly fid: number;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Decides anew which name each account shows: the one it claims, unless the latest proof of that name
 * (by timestamp, then signature) is another fid's. A name without any proof is believed: dumps lack them.
 * @returns the accounts whose name changed
 */
export const updateUsernames = async (
  session: Session,
  fids: readonly number[],
  names: readonly string[],
): Promise<UsernameChange[]> => {
  if (fids.length === 0 && names.length === 0) return [];
  return session.run<UsernameChange>(
    `update account a set username = w.username, version = a.version + 1
       from (select c.fid, c.username as before, case when p.fid is null or p.fid = c.fid then c.claimed_username end as username
               from account c
               left join lateral (
                 select u.fid from username_proof u where u.name = c.claimed_username
                  order by u."timestamp" desc, u.signature desc limit 1
               ) p on true
              where c.fid = any($1) or c.claimed_username = any($2)) w
      where a.fid = w.fid and a.username is distinct from w.username
     returning a.fid, w.before, a.username as after`,
    [fids, names],
  );
};

/** Writes what the onchain events of these accounts add up to. */
export const upsertRegistrations = async (session: Session, rows: readonly RegistrationRow[]): Promise<void> => {
  await insertRows(
    session,
    'account',
    {
      fid: 'bigint',
      custody_address: 'bytea',
      recovery_address: 'bytea',
      registered_at: 'timestamptz',
      pro_subscribed_at: 'timestamptz',
      pro_expires_at: 'timestamptz',
    },
    rows,
    `on conflict (fid) do update set
       custody_address = excluded.custody_address, recovery_address = excluded.recovery_address,
       registered_at = excluded.registered_at, pro_subscribed_at = excluded.pro_subscribed_at,
       pro_expires_at = excluded.pro_expires_at, version = account.version + 1`,
  );
};

/** @returns the custody address of each of these accounts that has one. */
export const selectCustodyAddresses = async (
  session: Session,
  fids: readonly number[],
): Promise<{ fid: number; custody_address: Buffer }[]> =>
  fids.length === 0
    ? []
    : session.select('select fid, custody_address from account where fid = any($1) and custody_address is not null', [
        fids,
      ]);

/** @returns what `account` holds of the profiles and registrations of these accounts. */
export const selectProfiles = async (
  session: Session,
  fids: readonly number[],
): Promise<(RegistrationRow & Readonly<Record<ProfileColumn, unknown>>)[]> =>
  session.select('select * from account where fid = any($1)', [fids]);

/** @returns those of the accounts whose pro subscription runs at this time. */
export const selectProFids = async (session: Session, fids: readonly number[], at: Date): Promise<Set<number>> => {
  const rows = await session.select<{ fid: number }>(
    'select fid from account where fid = any($1::bigint[]) and pro_expires_at > $2',
    [fids, at],
  );
  return new Set(rows.map(({ fid }) => fid));
};
