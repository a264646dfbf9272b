import { isDeepStrictEqual } from 'node:util';
import {
  type AccountRow,
  selectAccounts,
  selectAccountsOrDefaults,
  selectFidsByUsername,
} from '../store/account-read.js';
import type { Database } from '../store/database.js';
import { accountItself, NAMES } from '../store/list-source.js';
import type { EntitySource } from './entity-cache.js';
import type { Fragment } from './fragment.js';
import type { Kept } from './kept.js';
import { type PerDialect, perDialect } from './per-dialect.js';
import { type Gazetteer, openGazetteer, type PlaceAddress } from './place.js';
import { channelTokens, nameTokens, type TextToken } from './text-token.js';

type Counters = 'follower_count' | 'following_count';

export interface UserFragment extends Fragment {
  /** What was looked up for it, where all of that is kept: whoever finds that it holds need not look it up again. */
  kept?: Kept;
}

/** What an account shows of itself; one object stays the same as long as nothing of it changes. */
export interface Profile {
  readonly row: Omit<AccountRow, Counters>;
  /** `@name` in the bio, whether such an account exists or not. */
  readonly bioNames: readonly TextToken[];
  /** `/channel` in the bio, whether such a channel exists or not. */
  readonly bioChannels: readonly TextToken[];
  /** Of the city that it is in or near; undefined where there is none, or where it says nothing. */
  readonly address?: PlaceAddress;
  /** JSON of `User` without counters, viewer, what dialects call otherwise, and closing brace. */
  user?: UserFragment;
  /** JSON of `UserDehydrated`. */
  dehydrated?: Buffer;
}

export interface Account {
  readonly profile: Profile;
  readonly followerCount: number;
  readonly followingCount: number;
  /** JSON of the counters and of what dialects call otherwise, as the view writes it. */
  readonly tail: PerDialect<Buffer>;
}

const accountOf = (
  { follower_count, following_count, ...row }: AccountRow,
  gazetteer: Gazetteer | undefined,
): Account => {
  const { latitude, longitude } = row;
  const address = latitude === null || longitude === null ? undefined : gazetteer?.addressAt(latitude, longitude);
  return {
    profile: {
      row,
      bioNames: nameTokens(row.bio ?? ''),
      bioChannels: channelTokens(row.bio ?? ''),
      ...(address === undefined ? {} : { address }),
    },
    followerCount: follower_count,
    followingCount: following_count,
    tail: perDialect(),
  };
};

const length = (text: string | null): number => text?.length ?? 0;

/** Text stands in the row and in the fragment, and may take two bytes a unit in the one and three in the other. */
const weigh = ({ profile: { row, bioNames, bioChannels } }: Account): number =>
  2_500 +
  3 *
    (length(row.bio) + length(row.display_name) + length(row.pfp_url) + length(row.banner_url) + length(row.live_url)) +
  350 * (row.verifications?.length ?? 0) +
  600 * (row.auth_keys?.length ?? 0) +
  400 * (bioNames.length + bioChannels.length);

const sourceOf = (select: (fids: readonly number[]) => Promise<AccountRow[]>): EntitySource<number, Account> => ({
  load: async (fids) => {
    const rows = await select(fids);
    const gazetteer = rows.some((row) => row.latitude !== null) ? await openGazetteer() : undefined;
    return new Map(rows.map((row) => [row.fid, accountOf(row, gazetteer)]));
  },
  weigh,
  touchedBy: accountItself,
  renew: (old, fresh) => {
    if (!isDeepStrictEqual(old.profile.row, fresh.profile.row)) return fresh;
    const isSame = old.followerCount === fresh.followerCount && old.followingCount === fresh.followingCount;
    return isSame ? old : { ...fresh, profile: old.profile };
  },
});

/** Accounts that exist, by fid. */
export const accountSource = (db: Database): EntitySource<number, Account> =>
  sourceOf((fids) => selectAccounts(db, fids));

/** Every fid has one: accounts of which nothing is stored, too, with the defaults of the interface. */
export const accountOrDefaultSource = (db: Database): EntitySource<number, Account> =>
  sourceOf((fids) => selectAccountsOrDefaults(db, fids));

/** Fids by the name that the account shows (lower case). */
export const usernameSource = (db: Database): EntitySource<string, number> => ({
  load: (usernames) => selectFidsByUsername(db, usernames),
  weigh: () => 50,
  touchedBy: () => NAMES,
});
