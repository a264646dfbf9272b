import type { Loaded } from '../cache/entry.js';
import type { EntityKind, ReadContext } from '../cache/read-context.js';
import type { Tag } from '../db/statement.js';
import { type AccountRow, isExistingAccount, selectAccountsOrDefaults } from '../store/query/account.js';
import { channelOf, countersOf, nameOf, profileOf } from '../store/tag.js';
import { type Channel, channelById } from './channel.js';
import { openCityIndex, type PlaceAddress } from './geocode.js';
import { channelTokens, nameTokens, type TextToken } from './text-token.js';
import { type User, userByFid, userByUsername } from './user.js';

/** Names in a bio that exist. */
interface Named<T> {
  readonly token: TextToken;
  readonly named: T;
}

/** An account with everything that `User` shows. */
export interface Account extends User {
  readonly row: AccountRow;
  readonly bioUsers: readonly Named<User>[];
  readonly bioChannels: readonly Named<Channel>[];
  /** The stored apps of its auth addresses, by fid. */
  readonly authApps: ReadonlyMap<number, User>;
  /** The city at or near its location; undefined if it has no location, or none is near. */
  readonly address: PlaceAddress | undefined;
  /** Whether its pro subscription is active. */
  readonly isPro: boolean;
  /** JSON of `User` by dialect, as it is without a viewer; set when the view first renders it. */
  readonly json: { neutral?: string; ecosystem?: string };
}

/** What an account refers to, stored or not. */
interface References {
  readonly names: readonly TextToken[];
  readonly channels: readonly TextToken[];
  readonly appFids: readonly number[];
}

const NO_FIDS: readonly number[] = [];

const referencesOf = ({ bio, authKeys }: AccountRow): References => ({
  names: nameTokens(bio ?? ''),
  channels: channelTokens(bio ?? ''),
  appFids: authKeys === null ? NO_FIDS : authKeys.flatMap(([, fid]) => fid ?? []),
});

const values = (tokens: readonly TextToken[]): string[] => tokens.map(({ value }) => value);

const named = <T>(tokens: readonly TextToken[], found: ReadonlyMap<string, T>): Named<T>[] =>
  tokens.flatMap((token) => {
    const one = found.get(token.value);
    return one === undefined ? [] : [{ token, named: one }];
  });

const NO_APPS: ReadonlyMap<number, User> = new Map();

const appsOf = ({ appFids }: References, apps: ReadonlyMap<number, User>): ReadonlyMap<number, User> =>
  appFids.length === 0 ? NO_APPS : new Map([...apps].filter(([fid]) => appFids.includes(fid)));

const tagsOf = ({ names, channels, appFids }: References, bioUsers: readonly Named<User>[]): Tag[] => [
  ...names.map(({ value }) => nameOf(value)),
  ...channels.map(({ value }) => channelOf(value)),
  ...bioUsers.map((one) => profileOf(one.named.row.fid)),
  ...appFids.map(profileOf),
];

const load = async (fids: readonly number[], read: ReadContext): Promise<Map<number, Loaded<Account>>> => {
  const rows = await selectAccountsOrDefaults(read, fids);
  const references = rows.map(referencesOf);
  const [byName, byId, apps, cityIndex] = await Promise.all([
    read.get(
      userByUsername,
      references.flatMap(({ names }) => values(names)),
    ),
    read.get(
      channelById,
      references.flatMap(({ channels }) => values(channels)),
    ),
    read.get(
      userByFid,
      references.flatMap(({ appFids }) => appFids),
    ),
    rows.some(({ latitude }) => latitude !== null) ? openCityIndex() : undefined,
  ]);
  const accounts = new Map<number, Loaded<Account>>();
  rows.forEach((row, index) => {
    const { latitude, longitude } = row;
    const own = references[index] as References;
    const bioUsers = named(own.names, byName);
    const expiry = row.proExpiresAt ?? undefined;
    const isPro = expiry !== undefined && expiry > read.now;
    const account: Account = {
      row,
      bioUsers,
      bioChannels: named(own.channels, byId),
      authApps: appsOf(own, apps),
      address: latitude === null || longitude === null ? undefined : cityIndex?.addressAt(latitude, longitude),
      isPro,
      json: {},
    };
    // The clock may also be set back to before the expiry.
    const time = isPro ? { until: expiry } : { from: expiry };
    accounts.set(row.fid, { value: account, tags: tagsOf(own, bioUsers), ...time });
  });
  return accounts;
};

/** Accounts by fid. Every fid has one: an account that is not stored has the interface's defaults. */
export const accountByFid: EntityKind<number, Account> = {
  keyOf: (fid) => fid,
  tagsOf: (fid) => [profileOf(fid), countersOf(fid)],
  load,
};

/**
 * @param listed fids that stay in the result even if they are not stored
 * @returns the accounts among these fids that exist
 */
export const hydrateAccounts = async (
  read: ReadContext,
  fids: Iterable<number>,
  listed: ReadonlySet<number> = new Set(),
): Promise<Map<number, Account>> => {
  const accounts = await read.get(accountByFid, fids);
  for (const [fid, { row }] of accounts) if (!isExistingAccount(row) && !listed.has(fid)) accounts.delete(fid);
  return accounts;
};

/**
 * @returns the account with this name (in upper or lower case; `!<fid>` for accounts without one), undefined if none.
 */
export const findFidByUsername = async (read: ReadContext, username: string): Promise<number | undefined> => {
  const nameless = /^!([1-9]\d{0,15})$/.exec(username)?.[1];
  if (nameless === undefined) {
    const name = username.toLowerCase();
    return (await read.get(userByUsername, [name])).get(name)?.row.fid;
  }
  const fid = Number(nameless);
  if (!Number.isSafeInteger(fid)) return undefined;
  const user = (await read.get(userByFid, [fid])).get(fid);
  return user === undefined || user.row.username ? undefined : fid;
};
