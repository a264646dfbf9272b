import { arrayStatement, type ColumnsOf, type Reader, statement } from '../../db/statement.js';
import { readQuery } from '../query-function.js';
import { accountExists } from './account-exists.js';

/**
 * The stored data of one account: bytes as hex without 0x, ts in protocol seconds. Dates are Unix milliseconds, because
 * the driver takes ten times as long to read a timestamp.
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
  /** [key of 32 bytes whose last 20 are the address, fid of the requesting app], oldest first; null: none. */
  readonly auth_keys: [key: string, requestFid: number | null][] | null;
  readonly follower_count: number;
  readonly following_count: number;
}

const unixMs = (column: string): string => `(extract(epoch from a.${column}) * 1000)::float8`;

/** The columns of `AccountRow` in its order; JSON columns are cast, so that the driver parses them. */
const COLUMNS = `k.fid, encode(a.custody_address, 'hex'), ${unixMs('registered_at')}, a.first_ts, a.username, a.display_name,
  a.bio, a.pfp_url, a.banner_url, a.latitude, a.longitude, a.x_username, a.github_username,
  encode(a.primary_eth_address, 'hex'), encode(a.primary_sol_address, 'hex'), a.live_url, a.live_ts,
  ${unixMs('pro_subscribed_at')}, ${unixMs('pro_expires_at')}, coalesce(a.score, 0), a.verifications::json,
  a.auth_keys::json, coalesce(a.follower_count, 0), coalesce(a.following_count, 0)`;

type Names = [
  ...[
    'fid',
    'custody_address',
    'registered_at',
    'first_ts',
    'username',
    'display_name',
    'bio',
    'pfp_url',
    'banner_url',
  ],
  ...['latitude', 'longitude', 'x_username', 'github_username', 'primary_eth_address', 'primary_sol_address'],
  ...['live_url', 'live_ts', 'pro_subscribed_at', 'pro_expires_at', 'score', 'verifications', 'auth_keys'],
  ...['follower_count', 'following_count'],
];
type Columns = ColumnsOf<AccountRow, Names>;

// The subselects of this file hide how many keys there are: see src/store/query/cast.ts.
const accountsByFid = arrayStatement<Columns>(
  'account_by_fid',
  `select ${COLUMNS} from unnest((select $1::bigint[])::bigint[]) as k(fid) left join account a on a.fid = k.fid`,
);

const accountRow = (columns: Columns): AccountRow => {
  const [fid, custody_address, registered_at, first_ts, username, display_name, bio, pfp_url, banner_url, ...more] =
    columns;
  const [latitude, longitude, x_username, github_username, primary_eth_address, primary_sol_address, ...last] = more;
  const [live_url, live_ts, pro_subscribed_at, pro_expires_at, score, ...rest] = last;
  const [verifications, auth_keys, follower_count, following_count] = rest;
  return {
    fid,
    custody_address,
    registered_at,
    first_ts,
    username,
    display_name,
    bio,
    pfp_url,
    banner_url,
    latitude,
    longitude,
    x_username,
    github_username,
    primary_eth_address,
    primary_sol_address,
    live_url,
    live_ts,
    pro_subscribed_at,
    pro_expires_at,
    score,
    verifications,
    auth_keys,
    follower_count,
    following_count,
  };
};

/** @returns a row for each of these fids, in no order; an account that is not stored has the table's defaults */
export const selectAccountsOrDefaults = async (db: Reader, fids: readonly number[]): Promise<AccountRow[]> =>
  (await db.read(accountsByFid, [fids])).map(accountRow);

/** The same rule as `accountExists`, for a row that was read. */
export const isExistingAccount = ({ registered_at, first_ts }: AccountRow): boolean =>
  registered_at !== null || first_ts !== null;

export const selectAccounts = async (db: Reader, fids: readonly number[]): Promise<AccountRow[]> =>
  (await selectAccountsOrDefaults(db, fids)).filter(isExistingAccount);

/** The members of an account that are shown where only its name and picture are. */
export type UserRow = Pick<AccountRow, 'fid' | 'username' | 'display_name' | 'pfp_url' | 'custody_address' | 'score'>;

const USER_COLUMNS = `a.fid, a.username, a.display_name, a.pfp_url, encode(a.custody_address, 'hex') as custody_address,
          a.score`;

export const selectUsers = readQuery<UserRow>(
  'user_by_fid',
  `select ${USER_COLUMNS} from account a where a.fid = any((select $1::bigint[])::bigint[]) and ${accountExists('a')}`,
).rows((fids: readonly number[]) => [fids]);

const usersByUsername = statement<UserRow & { readonly username: string }>(
  'user_by_username',
  `select ${USER_COLUMNS}
     from account a
     left join username_proof p on p.name = a.username and p.fid = a.fid
    where a.username = any((select $1::text[])::text[]) and ${accountExists('a')}
    order by p."timestamp" nulls first, a.fid desc`,
);

/**
 * @param usernames in lower case
 * @returns the account of each name; of several, the one with the latest proof
 */
export const selectUsersByUsername = async (db: Reader, usernames: readonly string[]): Promise<Map<string, UserRow>> =>
  new Map((await db.read(usersByUsername, [usernames])).map((row) => [row.username, row]));

/** @returns the fid of each name, as in `selectUsersByUsername` */
export const selectFidsByUsername = async (db: Reader, usernames: readonly string[]): Promise<Map<string, number>> =>
  new Map([...(await selectUsersByUsername(db, usernames))].map(([name, { fid }]) => [name, fid]));

export interface AddressOwnerRow {
  /** Hex without 0x. */
  readonly address: string;
  readonly fid: number;
}

/** @returns the owners of these addresses: first by custody, then by the oldest verification */
export const selectAddressOwners = readQuery<AddressOwnerRow>(
  'account_by_address',
  `select encode(o.address, 'hex') as address, o.fid
     from address_owner o
     join account a on a.fid = o.fid
    where o.address = any($1::bytea[]) and o.role = any($2::smallint[]) and ${accountExists('a')}
    order by o.role, o.ts, o.fid`,
).rows((addresses: readonly Uint8Array[], roles: readonly number[]) => [addresses, roles]);
