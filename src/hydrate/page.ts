import type { ReadContext, View } from '../cache/read-context.js';
import type { Audience } from '../store/visibility.js';
import { type Account, hydrateAccounts } from './account.js';
import { type Cast, castByHash } from './cast.js';
import { type Channel, channelById, channelByUrl } from './channel.js';
import { hydrateHidden } from './hidden.js';
import { hydrateRelation, type Relation } from './relation.js';
import { type User, userByFid } from './user.js';

/** Everything that the view of a page shows, by id. What is not stored is missing. */
export interface Page extends View {
  readonly accounts: ReadonlyMap<number, Account>;
  /** Accounts of which the page shows no more than name and picture. */
  readonly users: ReadonlyMap<number, User>;
  /** By hash, 40 hex digits. */
  readonly casts: ReadonlyMap<string, Cast>;
  readonly channels: ReadonlyMap<string, Channel>;
  readonly channelsByUrl: ReadonlyMap<string, Channel>;
  /** Authors whose casts are left out where others embed them. */
  readonly hidden: ReadonlySet<number>;
  /** Undefined: no viewer was named. */
  readonly relation: Relation | undefined;
}

const EMPTY: Omit<Page, keyof View> = {
  accounts: new Map(),
  users: new Map(),
  casts: new Map(),
  channels: new Map(),
  channelsByUrl: new Map(),
  hidden: new Set(),
  relation: undefined,
};

interface UserOptions {
  /** Fid whose relations to the accounts the page shows. */
  readonly viewer?: number | undefined;
  /**
   * Those of the fids that a list is about: they are in the page even when nothing of them is stored, with defaults, so
   * that a list holds everybody whom a counter counts.
   */
  readonly listed?: readonly number[];
  /** Fids of which the page shows no more than name and picture. */
  readonly dehydrated?: Iterable<number>;
}

/** A page of users in full, hidden ones too. */
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
  readonly audience: Audience;
  /** Accounts that the page shows in full beside these casts, by fid. */
  readonly accounts?: readonly number[];
  /** Fids of which the page shows no more than name and picture. */
  readonly dehydrated?: Iterable<number>;
}

/** What casts show besides themselves. */
interface Shown {
  readonly accounts: Set<number>;
  readonly users: Set<number>;
  readonly channelIds: Set<string>;
  readonly channelUrls: Set<string>;
  /** Authors of embedded casts. */
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

const leadsOf = (channels: ReadonlyMap<string, Channel>): number[] =>
  [...channels.values()].flatMap(({ row }) => row.lead_fid ?? []);

/**
 * A page of casts in full, with authors, mentions, apps, channels and embedded casts. The casts asked for are there even
 * if their authors are hidden: the statement that makes a list leaves those out, and a cast that is asked for by its
 * hash is shown. Embedded casts of authors that the audience does not get to see are left out of their parents.
 * @param hashes 40 hex digits, lower case
 */
export const hydrateCasts = async (
  read: ReadContext,
  hashes: Iterable<string>,
  { audience, accounts: more = [], dehydrated = [] }: CastOptions,
): Promise<Page> => {
  const casts = await read.get(castByHash, hashes);
  const shown: Shown = {
    accounts: new Set(more),
    users: new Set(dehydrated),
    channelIds: new Set(),
    channelUrls: new Set(),
    embeddedAuthors: new Set(),
  };
  for (const cast of casts.values()) addCast(cast, shown);
  const { viewer } = audience;
  const rows = [...casts.values()].map(({ row }) => row);
  const [accounts, users, channels, channelsByUrl, hidden, relation] = await Promise.all([
    hydrateAccounts(read, shown.accounts),
    read.get(userByFid, shown.users),
    read.get(channelById, shown.channelIds),
    read.get(channelByUrl, shown.channelUrls),
    hydrateHidden(read, [...shown.embeddedAuthors], audience),
    viewer === null ? undefined : hydrateRelation(read, viewer, [...shown.accounts], rows),
  ]);
  const page: Page = { ...EMPTY, ...read.view, accounts, users, casts, channels, channelsByUrl, hidden, relation };
  const leads = leadsOf(channelsByUrl).filter((fid) => !accounts.has(fid));
  if (leads.length === 0) return page;
  return addLeads(read, page, leads, viewer);
};

/** Adds the leads of channels, who are known only when the channels are. */
const addLeads = async (
  read: ReadContext,
  page: Page,
  fids: readonly number[],
  viewer: number | null,
): Promise<Page> => {
  const leads = await hydrateUsers(read, fids, { viewer: viewer ?? undefined });
  const links = (fid: number): number => (page.relation?.links(fid) ?? 0) | (leads.relation?.links(fid) ?? 0);
  return {
    ...page,
    accounts: new Map([...page.accounts, ...leads.accounts]),
    relation: page.relation && { ...page.relation, links },
  };
};
