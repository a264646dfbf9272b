import { type Database, statement } from './database.js';

/**
 * What the tables say about one account, in the store's forms: bytes as hex without 0x, ts in protocol seconds.
 * Dates are Unix milliseconds: the driver takes ten times as long to read a timestamp.
 */
export interface AccountRow {
  readonly fid: number;
  readonly custody_address: string | null;
  readonly registered_at: number | null;
  readonly first_ts: number | null;
  readonly username: string | null;
  readonly display_name: string | null;
  readonly bio: string | null;
  readonly pfp_url: string | null;
  readonly banner_url: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly x_username: string | null;
  readonly github_username: string | null;
  readonly primary_eth_address: string | null;
  readonly primary_sol_address: string | null;
  readonly live_url: string | null;
  readonly live_ts: number | null;
  readonly pro_subscribed_at: number | null;
  readonly pro_expires_at: number | null;
  readonly score: number;
  /** [0 Ethereum or 1 Solana, address], oldest first; null: none. */
  readonly verifications: [protocol: number, address: string][] | null;
  /** [key of 32 bytes whose last 20 are the address, fid of the app that asked for it], oldest first; null: none. */
  readonly auth_keys: [key: string, requestFid: number | null][] | null;
  readonly follower_count: number;
  readonly following_count: number;
}

/** Rows may stand for accounts of which nothing is known but that somebody follows them: those do not exist here. */
const EXISTS = '(a.registered_at is not null or a.first_ts is not null)';

const unixMs = (column: string): string => `(extract(epoch from a.${column}) * 1000)::float8 as ${column}`;

/**
 * The columns with JSON are cast, so that the driver parses them: copying rows to do it here costs more.
 * @param counter a column that has its default where there is no row
 * @param from the table `account` as `a`
 */
const accountRows = (fid: string, counter: (column: string) => string, from: string): string => `
   select ${fid} as fid, encode(a.custody_address, 'hex') as custody_address, ${unixMs('registered_at')}, a.first_ts, a.username,
          a.display_name, a.bio, a.pfp_url, a.banner_url, a.latitude, a.longitude, a.x_username, a.github_username,
          encode(a.primary_eth_address, 'hex') as primary_eth_address,
          encode(a.primary_sol_address, 'hex') as primary_sol_address,
          a.live_url, a.live_ts, ${unixMs('pro_subscribed_at')}, ${unixMs('pro_expires_at')},
          ${['score', 'follower_count', 'following_count'].map((name) => `${counter(name)} as ${name}`).join(', ')},
          a.verifications::json as verifications, a.auth_keys::json as auth_keys
     ${from}`;

const accountsByFid = statement<AccountRow>(
  'account_by_fid',
  accountRows('a.fid', (column) => `a.${column}`, `from account a where a.fid = any($1::bigint[]) and ${EXISTS}`),
);

/** @returns the accounts among these fids that exist, in no order. */
export const selectAccounts = (db: Database, fids: readonly number[]): Promise<AccountRow[]> =>
  db.read(accountsByFid, [fids]);

const accountsOrDefaults = statement<AccountRow>(
  'account_or_default',
  accountRows(
    'k.fid',
    (column) => `coalesce(a.${column}, 0)`,
    'from unnest($1::bigint[]) as k(fid) left join account a on a.fid = k.fid',
  ),
);

/**
 * @returns a row for each of these fids, in no order: what is stored, and the table's defaults for an account of which
 *   nothing is
 */
export const selectAccountsOrDefaults = (db: Database, fids: readonly number[]): Promise<AccountRow[]> =>
  db.read(accountsOrDefaults, [fids]);

const accountsByUsername = statement<{ username: string; fid: number }>(
  'account_by_username',
  `select a.username, a.fid
     from account a
     left join username_proof p on p.name = a.username and p.fid = a.fid
    where a.username = any($1::text[]) and ${EXISTS}
    order by p."timestamp" nulls first, a.fid desc`,
);

/**
 * @param usernames as they are stored (lower case)
 * @returns the fid that shows each name; were there several, the one with the latest proof of it
 */
export const selectFidsByUsername = async (db: Database, usernames: readonly string[]): Promise<Map<string, number>> =>
  new Map((await db.read(accountsByUsername, [usernames])).map((row) => [row.username, row.fid]));

export interface AddressOwnerRow {
  /** Hex without 0x. */
  readonly address: string;
  readonly fid: number;
}

const accountsByAddress = statement<AddressOwnerRow>(
  'account_by_address',
  `select encode(o.address, 'hex') as address, o.fid
     from address_owner o
     join account a on a.fid = o.fid
    where o.address = any($1::bytea[]) and o.role = any($2::smallint[]) and ${EXISTS}
    order by o.role, o.ts, o.fid`,
);

/** @returns who answers to these addresses: owners by custody first, then the longest verified. */
export const selectAddressOwners = (
  db: Database,
  addresses: readonly Uint8Array[],
  roles: readonly number[],
): Promise<AddressOwnerRow[]> => db.read(accountsByAddress, [addresses, roles]);
