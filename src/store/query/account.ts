import { camelCase } from '../../db/bulk-statement.js';
import type { Reader } from '../../db/statement.js';
import { type RowOf, readQuery } from '../query-function.js';
import { accountExists } from './account-exists.js';

/**
 * The stored data of one account: bytes as hex without 0x, ts in protocol seconds. Dates are Unix milliseconds, because
 * the driver takes ten times as long to read a timestamp. `verifications` and `authKeys` are oldest first; null: none.
 */
export type AccountRow = RowOf<'account_by_fid'>;

const unixMs = (column: string): string => `(extract(epoch from a.${column}) * 1000)::float8 as "${camelCase(column)}"`;

/** JSON columns are cast, so that the driver parses them. */
const COLUMNS = `k.fid as "fid!", encode(a.custody_address, 'hex') as "custodyAddress", ${unixMs('registered_at')}, a.first_ts as "firstTs",
  a.username, a.display_name as "displayName", a.bio, a.pfp_url as "pfpUrl", a.banner_url as "bannerUrl", a.latitude, a.longitude, a.x_username as "xUsername", a.github_username as "githubUsername",
  encode(a.primary_eth_address, 'hex') as "primaryEthAddress", encode(a.primary_sol_address, 'hex') as "primarySolAddress",
  a.live_url as "liveUrl", a.live_ts as "liveTs", ${unixMs('pro_subscribed_at')}, ${unixMs('pro_expires_at')}, coalesce(a.score, 0) as "score!",
  a.verifications::json, a.auth_keys::json as "authKeys", coalesce(a.follower_count, 0) as "followerCount!",
  coalesce(a.following_count, 0) as "followingCount!"`;

// The subselects of this file hide how many keys there are: see src/store/query/cast.ts.
/** @returns a row for each of these fids, in no order; an account that is not stored has the table's defaults */
export const selectAccountsOrDefaults = readQuery(
  'account_by_fid',
  `select ${COLUMNS} from unnest((select :fids::bigint[])::bigint[]) as k(fid) left join account a on a.fid = k.fid`,
).rows((fids: readonly number[]) => ({ fids }));

/** The same rule as `accountExists`, for a row that was read. */
export const isExistingAccount = ({ registeredAt, firstTs }: AccountRow): boolean =>
  registeredAt !== null || firstTs !== null;

export const selectAccounts = async (db: Reader, fids: readonly number[]): Promise<AccountRow[]> =>
  (await selectAccountsOrDefaults(db, fids)).filter(isExistingAccount);

/** The members of an account that are shown where only its name and picture are. */
export type UserRow = Pick<AccountRow, 'fid' | 'username' | 'displayName' | 'pfpUrl' | 'custodyAddress' | 'score'>;

const USER_COLUMNS = `a.fid, a.username, a.display_name as "displayName", a.pfp_url as "pfpUrl", encode(a.custody_address, 'hex') as "custodyAddress",
          a.score`;

export const selectUsers = readQuery(
  'user_by_fid',
  `select ${USER_COLUMNS} from account a where a.fid = any((select :fids::bigint[])::bigint[]) and ${accountExists('a')}`,
).rows((fids: readonly number[]) => ({ fids }));

const selectUsersOfNames = readQuery(
  'user_by_username',
  `select ${USER_COLUMNS}
     from account a
     left join username_proof p on p.name = a.username and p.fid = a.fid
    where a.username = any((select :usernames::text[])::text[]) and ${accountExists('a')}
    order by p."timestamp" nulls first, a.fid desc`,
).rows();

/**
 * @param usernames in lower case
 * @returns the account of each name; of several, the one with the latest proof
 */
export const selectUsersByUsername = async (db: Reader, usernames: readonly string[]): Promise<Map<string, UserRow>> =>
  new Map((await selectUsersOfNames(db, { usernames })).map((row) => [row.username as string, row]));

/** @returns the fid of each name, as in `selectUsersByUsername` */
export const selectFidsByUsername = async (db: Reader, usernames: readonly string[]): Promise<Map<string, number>> =>
  new Map([...(await selectUsersByUsername(db, usernames))].map(([name, { fid }]) => [name, fid]));

/** @returns the owners of these addresses (hex without 0x): first by custody, then by the oldest verification */
export const selectAddressOwners = readQuery(
  'account_by_address',
  `select encode(o.address, 'hex') as "address!", o.fid
     from address_owner o
     join account a on a.fid = o.fid
    where o.address = any(:addresses::bytea[]) and o.role = any(:roles::smallint[]) and ${accountExists('a')}
    order by o.role, o.ts, o.fid`,
).rows((addresses: readonly Uint8Array[], roles: readonly number[]) => ({ addresses, roles }));
