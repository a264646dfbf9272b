import type { ReadContext, View } from '../cache/read-context.js';
import type { CastRow } from '../store/query/cast.js';
import type { Audience } from '../store/visibility.js';
import { type Account, hydrateAccounts } from './account.js';
import { type Cast, castByHash, hydrateUnstoredCasts } from './cast.js';
import { castReferences } from './cast-reference.js';
import {
  type Channel,
  type ChannelRelations,
  channelById,
  channelByUrl,
  channelRelationByKey,
  channelRelationKey,
  hostsOf,
} from './channel.js';
import { hydrateHidden } from './hidden.js';
import { hydrateRelation, type Relation } from './relation.js';
import { type User, userByFid } from './user.js';

/** Everything that the view of a page shows, by id; entities that are not stored are missing. */
export interface Page extends View {
  /** Fid; undefined if the request has no viewer. */
  readonly viewer: number | undefined;
  readonly accounts: ReadonlyMap<number, Account>;
  /** Accounts that the page shows only by name and picture. */
  readonly users: ReadonlyMap<number, User>;
  /** By hash (40 hex digits). */
  readonly casts: ReadonlyMap<string, Cast>;
  readonly channels: ReadonlyMap<string, Channel>;
  /** By the spelling of the URL in the cast. */
  readonly channelsByUrl: ReadonlyMap<string, Channel>;
  /** What the viewer and the authors of casts are to the channels that the page shows. */
  readonly channelRelations: ChannelRelations;
  /** Authors whose embedded casts are left out. */
  readonly hidden: ReadonlySet<number>;
  /** Undefined if the request has no viewer. */
  readonly relation: Relation | undefined;
}

const EMPTY: Omit<Page, keyof View> = {
  viewer: undefined,
  accounts: new Map(),
  users: new Map(),
  casts: new Map(),
  channels: new Map(),
  channelsByUrl: new Map(),
  channelRelations: new Map(),
  hidden: new Set(),
  relation: undefined,
};

/** @returns keys of the viewer with each channel of the page, and of the author of each cast with the channel of the cast */
const relationsShown = ({ viewer, accounts, casts, channels, channelsByUrl }: Page): Set<string> => {
  const keys = new Set<string>();
  for (const { row, channelUrl } of casts.values()) {
    const channel = channelUrl === null ? undefined : channelsByUrl.get(channelUrl);
    if (channel !== undefined) keys.add(channelRelationKey(row.fid, channel.row.id));
  }
  if (viewer === undefined) return keys;
  const addForViewer = ({ row }: Channel) => keys.add(channelRelationKey(viewer, row.id));
  for (const channel of [...channels.values(), ...channelsByUrl.values()]) addForViewer(channel);
  for (const { bioChannels } of accounts.values()) for (const { named } of bioChannels) addForViewer(named);
  return keys;
};

interface UserOptions {
  /** Fid of the viewer whose relations to the accounts the page shows. */
  readonly viewer?: number | undefined;
  /**
   * Fids of the list itself: they are in the page with defaults even if they are not stored, so that a list has as many
   * accounts as its counter says.
   */
  readonly listed?: readonly number[];
  /** Fids that the page shows only by name and picture. */
  readonly dehydrated?: Iterable<number>;
}

/** A page of users in full, including hidden ones. */
export const hydrateUsers = (
  read: ReadContext,
  fids: readonly number[],
  { viewer, listed, dehydrated = [] }: UserOptions = {},
): Promise<Page> =>
  read.hydrate('users', async () => {
    const [accounts, users, relation] = await Promise.all([
      hydrateAccounts(read, fids, new Set(listed)),
      read.get(userByFid, dehydrated),
      viewer === undefined ? undefined : hydrateRelation(read, viewer, fids, []),
    ]);
    const page: Page = { ...EMPTY, ...read.view, viewer, accounts, users, relation };
    return { ...page, channelRelations: await read.get(channelRelationByKey, relationsShown(page)) };
  });

interface CastOptions {
  /** Null: everybody, so that no account is hidden. */
  readonly audience: Audience | null;
  /** Fids that the page shows in full in addition to the casts. */
  readonly accounts?: readonly number[];
  /** Fids that the page shows only by name and picture. */
  readonly dehydrated?: Iterable<number>;
  /** Returns rows of casts that are not stored but shown nevertheless, among those with these hashes. */
  readonly unstored?: (hashes: readonly string[]) => Promise<readonly CastRow[]>;
}

/** Casts by hash; those that are not stored are left out unless `unstored` has them. */
const castsOf = async (
  read: ReadContext,
  hashes: Iterable<string>,
  unstored: CastOptions['unstored'],
): Promise<Map<string, Cast>> => {
  const wanted = new Set(hashes);
  const casts = await read.get(castByHash, wanted);
  if (unstored === undefined) return casts;
  const missing = [...wanted].filter((hash) => !casts.has(hash));
  if (missing.length === 0) return casts;
  return new Map([...casts, ...(await hydrateUnstoredCasts(read, await unstored(missing)))]);
};

/**
 * A page of casts in full, with authors, mentions, apps, channels and embedded casts. Requested casts are included even
 * if their authors are hidden: lists exclude those in their statements, and a lookup by hash shows them. Embedded casts
 * of hidden authors are left out.
 * @param hashes 40 hex digits, lower case
 */
export const hydrateCasts = (
  read: ReadContext,
  hashes: Iterable<string>,
  { audience, accounts: more = [], dehydrated = [], unstored }: CastOptions,
): Promise<Page> =>
  read.hydrate('casts', async () => {
    const casts = await castsOf(read, hashes, unstored);
    const references = castReferences(casts.values());
    const fids = new Set([...references.accounts, ...more]);
    const viewer = audience?.viewer ?? undefined;
    const rows = [...casts.values()].map(({ row }) => row);
    const [accounts, users, channels, channelsByUrl, hidden, relation] = await Promise.all([
      hydrateAccounts(read, fids),
      read.get(userByFid, [...references.users, ...dehydrated]),
      read.get(channelById, references.channelIds),
      read.get(channelByUrl, references.channelUrls),
      audience === null ? EMPTY.hidden : hydrateHidden(read, [...references.embeddedAuthors], audience),
      viewer === undefined ? undefined : hydrateRelation(read, viewer, [...fids], rows),
    ]);
    const page: Page = {
      ...EMPTY,
      ...read.view,
      viewer,
      accounts,
      users,
      casts,
      channels,
      channelsByUrl,
      hidden,
      relation,
    };
    return addChannelDetails(read, page, [...channelsByUrl.values()], leadOf);
  });

const leadOf = ({ row }: Channel): readonly number[] => (row.leadFid === null ? [] : [row.leadFid]);

/**
 * Adds what is known only once the channels are loaded: accounts in descriptions, and what the viewer and the authors
 * are to them.
 * @param fullOf fids of a channel's accounts that the page shows in full
 */
const addChannelDetails = async (
  read: ReadContext,
  page: Page,
  channels: readonly Channel[],
  fullOf: (channel: Channel) => readonly number[],
): Promise<Page> => {
  const { viewer } = page;
  const full = channels.flatMap(fullOf).filter((fid) => !page.accounts.has(fid));
  const named = channels.flatMap(({ row }) => row.descriptionMentions).filter((fid) => !page.users.has(fid));
  const [more, channelRelations] = await Promise.all([
    full.length + named.length === 0 ? undefined : hydrateUsers(read, full, { viewer, dehydrated: named }),
    read.get(channelRelationByKey, relationsShown(page)),
  ]);
  if (more === undefined) return { ...page, channelRelations };
  const links = (fid: number): number => (page.relation?.links(fid) ?? 0) | (more.relation?.links(fid) ?? 0);
  return {
    ...page,
    accounts: new Map([...page.accounts, ...more.accounts]),
    users: new Map([...page.users, ...more.users]),
    relation: page.relation && { ...page.relation, links },
    channelRelations: new Map([...channelRelations, ...more.channelRelations]),
  };
};

interface ChannelOptions {
  readonly viewer?: number | undefined;
  /** Fids of accounts that the page shows only by name and picture. */
  readonly dehydrated?: readonly number[];
}

/**
 * A page of channels in full, with their leads and moderators, and what the viewer is to them.
 * @param ids of channels; those that are not stored are left out
 */
export const hydrateChannels = (
  read: ReadContext,
  ids: readonly string[],
  { viewer, dehydrated = [] }: ChannelOptions = {},
): Promise<Page> =>
  read.hydrate('channels', async () => {
    const [channels, users] = await Promise.all([
      read.get(channelById, ids),
      hydrateUsers(read, [], { viewer, dehydrated }),
    ]);
    return addChannelDetails(read, { ...users, channels }, [...channels.values()], hostsOf);
  });
