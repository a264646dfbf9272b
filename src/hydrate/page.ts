import type { ReadContext, View } from '../cache/read-context.js';
import type { CastRow } from '../store/query/cast.js';
import type { Audience } from '../store/visibility.js';
import { type Account, hydrateAccounts } from './account.js';
import { type Cast, castByHash, hydrateUnstoredCasts } from './cast.js';
import { type Channel, type ChannelRelations, channelById, channelByUrl, hydrateChannelRelations } from './channel.js';
import { hydrateHidden } from './hidden.js';
import { hydrateRelation, type Relation } from './relation.js';
import { type User, userByFid } from './user.js';

/** Everything that the view of a page shows, by id; entities that are not stored are missing. */
export interface Page extends View {
  readonly accounts: ReadonlyMap<number, Account>;
  /** Accounts that the page shows only by name and picture. */
  readonly users: ReadonlyMap<number, User>;
  /** By hash (40 hex digits). */
  readonly casts: ReadonlyMap<string, Cast>;
  readonly channels: ReadonlyMap<string, Channel>;
  /** By the spelling of the URL in the cast. */
  readonly channelsByUrl: ReadonlyMap<string, Channel>;
  /** Undefined if the request has no viewer, or the page shows no channel in full. */
  readonly channelRelations: ChannelRelations | undefined;
  /** Authors whose embedded casts are left out. */
  readonly hidden: ReadonlySet<number>;
  /** Undefined if the request has no viewer. */
  readonly relation: Relation | undefined;
}

const EMPTY: Omit<Page, keyof View> = {
  accounts: new Map(),
  users: new Map(),
  casts: new Map(),
  channels: new Map(),
  channelsByUrl: new Map(),
  channelRelations: undefined,
  hidden: new Set(),
  relation: undefined,
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
export const hydrateUsers = async (
  read: ReadContext,
  fids: readonly number[],
  { viewer, listed, dehydrated = [] }: UserOptions = {},
): Promise<Page> => {
  const [accounts, users, relation] = await Promise.all([
    hydrateAccounts(read, fids, new Set(listed)),
    read.get(userByFid, dehydrated),
    viewer === undefined ? undefined : hydrateRelation(read, viewer, fids, []),
  ]);
  return { ...EMPTY, ...read.view, accounts, users, relation };
};

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

/** What casts refer to. */
interface Shown {
  readonly accounts: Set<number>;
  readonly users: Set<number>;
  readonly channelIds: Set<string>;
  readonly channelUrls: Set<string>;
  readonly embeddedAuthors: Set<number>;
}

const addApp = ({ row }: Cast, { users }: Shown): void => {
  if (row.app_fid !== null) users.add(row.app_fid);
};

const addEmbedded = (cast: Cast, shown: Shown): void => {
  const { fid, mentions } = cast.row;
  shown.embeddedAuthors.add(fid);
  shown.users.add(fid);
  for (const mentioned of mentions ?? []) shown.users.add(mentioned);
  if (cast.channelUrl !== null) shown.channelUrls.add(cast.channelUrl);
  addApp(cast, shown);
  for (const inner of cast.embedded.values()) addEmbedded(inner, shown);
};

const addCast = (cast: Cast, shown: Shown): void => {
  const { fid, mentions } = cast.row;
  shown.accounts.add(fid);
  for (const mentioned of mentions ?? []) shown.accounts.add(mentioned);
  for (const id of cast.channelIds) shown.channelIds.add(id);
  if (cast.channelUrl !== null) shown.channelUrls.add(cast.channelUrl);
  addApp(cast, shown);
  for (const embedded of cast.embedded.values()) addEmbedded(embedded, shown);
};

/**
 * A page of casts in full, with authors, mentions, apps, channels and embedded casts. Requested casts are included even
 * if their authors are hidden: lists exclude those in their statements, and a lookup by hash shows them. Embedded casts
 * of hidden authors are left out.
 * @param hashes 40 hex digits, lower case
 */
export const hydrateCasts = async (
  read: ReadContext,
  hashes: Iterable<string>,
  { audience, accounts: more = [], dehydrated = [], unstored }: CastOptions,
): Promise<Page> => {
  const casts = await castsOf(read, hashes, unstored);
  const shown: Shown = {
    accounts: new Set(more),
    users: new Set(dehydrated),
    channelIds: new Set(),
    channelUrls: new Set(),
    embeddedAuthors: new Set(),
  };
  for (const cast of casts.values()) addCast(cast, shown);
  const viewer = audience?.viewer ?? null;
  const rows = [...casts.values()].map(({ row }) => row);
  const [accounts, users, channels, channelsByUrl, hidden, relation] = await Promise.all([
    hydrateAccounts(read, shown.accounts),
    read.get(userByFid, shown.users),
    read.get(channelById, shown.channelIds),
    read.get(channelByUrl, shown.channelUrls),
    audience === null ? EMPTY.hidden : hydrateHidden(read, [...shown.embeddedAuthors], audience),
    viewer === null ? undefined : hydrateRelation(read, viewer, [...shown.accounts], rows),
  ]);
  const page: Page = { ...EMPTY, ...read.view, accounts, users, casts, channels, channelsByUrl, hidden, relation };
  return channelsByUrl.size === 0 ? page : addChannelDetails(read, page, [...channelsByUrl.values()], viewer);
};

/** Adds what is known only once the channels are loaded: leads, accounts in descriptions, and what the viewer is to them. */
const addChannelDetails = async (
  read: ReadContext,
  page: Page,
  channels: readonly Channel[],
  viewer: number | null,
): Promise<Page> => {
  const leads = channels.flatMap(({ row }) => row.lead_fid ?? []).filter((fid) => !page.accounts.has(fid));
  const named = channels.flatMap(({ row }) => row.description_mentions).filter((fid) => !page.users.has(fid));
  const [more, channelRelations] = await Promise.all([
    leads.length + named.length === 0
      ? undefined
      : hydrateUsers(read, leads, { viewer: viewer ?? undefined, dehydrated: named }),
    viewer === null ? undefined : hydrateChannelRelations(read, viewer, channels),
  ]);
  if (more === undefined) return { ...page, channelRelations };
  const links = (fid: number): number => (page.relation?.links(fid) ?? 0) | (more.relation?.links(fid) ?? 0);
  return {
    ...page,
    accounts: new Map([...page.accounts, ...more.accounts]),
    users: new Map([...page.users, ...more.users]),
    relation: page.relation && { ...page.relation, links },
    channelRelations,
  };
};

interface ChannelOptions {
  readonly viewer?: number | undefined;
  /** Fids of accounts that the page shows only by name and picture. */
  readonly dehydrated?: readonly number[];
}

/**
 * A page of channels in full, with their leads and what the viewer is to them.
 * @param ids of channels; those that are not stored are left out
 */
export const hydrateChannels = async (
  read: ReadContext,
  ids: readonly string[],
  { viewer, dehydrated = [] }: ChannelOptions = {},
): Promise<Page> => {
  const [channels, users] = await Promise.all([
    read.get(channelById, ids),
    hydrateUsers(read, [], { viewer, dehydrated }),
  ]);
  return addChannelDetails(read, { ...users, channels }, [...channels.values()], viewer ?? null);
};
