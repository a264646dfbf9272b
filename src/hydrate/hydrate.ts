import type { Dialect } from '../schema/wire-names.js';
import type { Database } from '../store/database.js';
import { audienceSources, NAMES } from '../store/list-source.js';
import type { Audience } from '../store/visibility.js';
import { type Account, accountOrDefaultSource, accountSource, type UserFragment, usernameSource } from './account.js';
import type { Assembly, KeptAssembly } from './assembly.js';
import type { Basis } from './basis.js';
import { type Cast, type CastContent, castSource, type SignerApps, signerAppSource } from './cast.js';
import { type Channel, channelSource, channelUrlSource } from './channel.js';
import type { Entities } from './entities.js';
import { EntityCache, type EntitySource, type Revision } from './entity-cache.js';
import type { Freshness } from './freshness.js';
import { createHiddenReader } from './hidden.js';
import { holds } from './kept.js';
import { inOf } from './per-dialect.js';
import { Trace } from './trace.js';
import { createViewerReader, type Viewer, type ViewerReader } from './viewer.js';

/** Everything that the view of a page needs, and nothing that is not stored. */
export interface Hydration extends Entities {
  readonly accounts: Map<number, Account>;
  readonly fidsByUsername: Map<string, number>;
  readonly casts: Map<string, Cast>;
  readonly signerApps: Map<number, SignerApps>;
  readonly channels: Map<string, Channel>;
  readonly channelsByUrl: Map<string, Channel>;
  readonly hidden: Set<number>;
  /** Casts that are there as finished bytes: what they show of others is not in the page. */
  readonly whole: Map<CastContent, Assembly>;
  /** By fid: users that are there as finished bytes, counters aside. */
  readonly wholeUsers: Map<number, UserFragment>;
  /** For putting together the other casts and users. */
  trace(): Trace;
  /** Undefined: no viewer was named. */
  viewer?: Viewer;
  /** Where everything is noted that the page is made from; undefined: nobody keeps what is made of it. */
  readonly basis: Basis | undefined;
  /** Takes an entity that a view cannot render and leaves out: `user 3`, and why. */
  report(entity: string, error: unknown): void;
}

export interface HydrateOptions {
  /** Unix milliseconds. */
  readonly now: number;
  /** Fid whose relations to users and casts the page shows. */
  readonly viewer?: number | undefined;
  /** Takes note of all that the page is made from. */
  readonly basis?: Basis | undefined;
}

export interface UsersHydrateOptions extends HydrateOptions {
  /**
   * Those of the fids that a list is about: they are in the page even when nothing of them is stored, with defaults, so
   * that a list holds everybody whom a counter counts.
   */
  readonly listed?: readonly number[] | undefined;
}

export interface CastHydrateOptions extends HydrateOptions {
  /** From whom casts of some authors are hidden where others embed them. */
  readonly audience: Audience;
  /** Users that the page shows beside these casts, as `Hydrate.users` reads them. */
  readonly users?: readonly number[];
  /** Set where a view shows authors or apps of these casts outside of them: they are in the page then in any case. */
  readonly withFaces?: boolean;
}

/**
 * From ids to entities. A page takes a fixed number of queries whatever its size, and none when all of its
 * entities are at hand and no viewer is named. Ids that are not stored are missing in the answer.
 */
export interface Hydrate {
  /** Users in full, hidden ones too, with the accounts and channels that their bios and auth addresses name. */
  users(fids: readonly number[], options: UsersHydrateOptions): Promise<Hydration>;
  /**
   * Casts in full (hashes: 40 hex digits, lower case), with authors, mentions, apps, channels and embedded casts.
   * The casts asked for are there whoever wrote them: leaving out hidden authors is up to the query that made the
   * list, and who asks for a cast by its hash gets it. Embedded casts of authors that the app banned, the viewer muted
   * or a block stands between are left out of their parents in every case.
   */
  casts(hashes: readonly string[], options: CastHydrateOptions): Promise<Hydration>;
  readonly viewers: ViewerReader;
  /** The same entities, for pages in the names of a dialect; neutral unless asked. */
  speaking(dialect: Dialect): Hydrate;
  /** @returns who goes by this name (in upper or lower case; `!<fid>` for accounts without one), undefined: nobody. */
  fidOfUsername(username: string): Promise<number | undefined>;
}

/** How the bytes are shared out. Accounts and casts are read by every page, the rest is small. */
const SHARE = {
  accounts: 0.27,
  accountsOrDefaults: 0.01,
  casts: 0.51,
  viewers: 0.08,
  hidden: 0.01,
  signerApps: 0.05,
  channels: 0.02,
  channelsByUrl: 0.03,
  usernames: 0.02,
};

/** Waits for reads that are not at hand; costs nothing when all are. */
const together = (...reads: (Promise<void> | undefined)[]): Promise<unknown> | undefined =>
  reads.some((read) => read !== undefined) ? Promise.all(reads) : undefined;

/**
 * @param options `cacheBytes` bounds the entities kept in memory with their fragments (0: none is kept);
 *   `freshness` says what to forget, and when nothing kept may be used; `report` takes what cannot be rendered.
 */
export const createHydrate = (options: {
  db: Database;
  cacheBytes: number;
  freshness: Freshness;
  report: Hydration['report'];
}): Hydrate => {
  const { db, cacheBytes, freshness, report } = options;
  const revision: Revision = { count: 0 };
  const cache = <K extends string | number, V extends NonNullable<unknown>>(
    source: EntitySource<K, V>,
    share: number,
  ) => new EntityCache(source, Math.floor(cacheBytes * share), freshness.trusted, revision);
  const accounts = cache(accountSource(db), SHARE.accounts);
  const accountsOrDefaults = cache(accountOrDefaultSource(db), SHARE.accountsOrDefaults);
  const usernames = cache(usernameSource(db), SHARE.usernames);
  const casts = cache(castSource(db), SHARE.casts);
  const signerApps = cache(signerAppSource(db), SHARE.signerApps);
  const channels = cache(channelSource(db), SHARE.channels);
  const channelsByUrl = cache(channelUrlSource(db), SHARE.channelsByUrl);
  const hidden = createHiddenReader(db, freshness, Math.floor(cacheBytes * SHARE.hidden));
  const viewers = createViewerReader(db, freshness, Math.floor(cacheBytes * SHARE.viewers));
  const caches = { accounts, fidsByUsername: usernames, casts, signerApps, channels, channelsByUrl };

  freshness.subscribe((touched) => {
    if (touched.all) {
      for (const one of Object.values(caches)) one.dropAll();
      accountsOrDefaults.dropAll();
      return;
    }
    for (const fid of touched.fids) {
      accounts.drop(fid);
      accountsOrDefaults.drop(fid);
      signerApps.drop(fid);
    }
    if (touched.lists.includes(NAMES)) usernames.dropAll();
    for (const hash of touched.casts) {
      casts.drop(Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex'));
    }
  });

  /** What `User` shows beside the account itself. */
  const completeUsers = async (page: Hydration, users: Iterable<Account>): Promise<void> => {
    const names: string[] = [];
    const channelIds: string[] = [];
    const fids: number[] = [];
    for (const { profile } of users) {
      for (const token of profile.bioNames) names.push(token.value);
      for (const token of profile.bioChannels) channelIds.push(token.value);
      for (const [, fid] of profile.row.auth_keys ?? []) if (fid !== null) fids.push(fid);
    }
    await together(
      usernames.read(names, page.fidsByUsername, page.basis),
      channels.read(channelIds, page.channels, page.basis),
    );
    for (const name of names) {
      const fid = page.fidsByUsername.get(name);
      if (fid !== undefined) fids.push(fid);
    }
    await accounts.read(fids, page.accounts, page.basis);
  };

  /** @returns the casts that these embed, and what those embed, as far as they are stored and beside these. */
  const readEmbedded = async (page: Hydration, contents: ReadonlySet<CastContent>): Promise<Set<CastContent>> => {
    const embedded = new Set<CastContent>();
    let level: Iterable<CastContent> = contents;
    for (let depth = 0; depth < 2; depth++) {
      const hashes: string[] = [];
      for (const { embeddedHashes } of level) for (const hash of embeddedHashes) hashes.push(hash);
      if (hashes.length === 0) break;
      await casts.read(hashes, page.casts, page.basis);
      const found = hashes.flatMap((hash) => page.casts.get(hash)?.content ?? []);
      level = found.filter((content) => !embedded.has(content));
      for (const content of found) embedded.add(content);
    }
    return embedded;
  };

  /** Everything that these casts show beside themselves and the casts that they embed. */
  const completeCasts = async (
    page: Hydration,
    contents: ReadonlySet<CastContent>,
    embedded: ReadonlySet<CastContent>,
  ): Promise<void> => {
    const all = embedded.size === 0 ? contents : new Set([...contents, ...embedded]);
    const people: number[] = [];
    const authors: number[] = [];
    const channelIds: string[] = [];
    const channelUrls: string[] = [];
    for (const content of all) {
      authors.push(content.row.fid);
      people.push(content.row.fid);
      for (const fid of content.row.mentions) people.push(fid);
      for (const id of content.channelIds) channelIds.push(id);
      if (content.channelUrl !== null) channelUrls.push(content.channelUrl);
    }
    await together(
      accounts.read(people, page.accounts, page.basis),
      signerApps.read(authors, page.signerApps, page.basis),
      channels.read(channelIds, page.channels, page.basis),
      channelsByUrl.read(channelUrls, page.channelsByUrl, page.basis),
    );
    const others: number[] = [];
    for (const { row } of all) {
      const app = page.signerApps.get(row.fid)?.get(row.signer);
      if (app !== undefined) others.push(app);
    }
    for (const { row } of page.channelsByUrl.values()) if (row.lead_fid !== null) others.push(row.lead_fid);
    await accounts.read(others, page.accounts, page.basis);
    await completeUsers(page, page.accounts.values());
  };

  const begin = (now: number, dialect: Dialect, basis: Basis | undefined): Hydration => {
    let trace: Trace | undefined;
    const page: Hydration = {
      now,
      dialect,
      accounts: new Map(),
      fidsByUsername: new Map(),
      casts: new Map(),
      signerApps: new Map(),
      channels: new Map(),
      channelsByUrl: new Map(),
      hidden: new Set(),
      whole: new Map(),
      wholeUsers: new Map(),
      basis,
      report,
      trace: () => {
        trace ??= new Trace(page, caches);
        return trace;
      },
    };
    basis?.notePage(page);
    return page;
  };

  /** Puts those who are seen beside a cast into a page; only right after it was found to hold. */
  const addFaces = ({ faces }: KeptAssembly, page: Hydration): void => {
    for (const { key, value } of faces) {
      // What the page read itself stays: it is what the page is completed for.
      if (value !== undefined && !page.accounts.has(key)) page.accounts.set(key, value);
    }
  };

  /** Takes those of the accounts read so far that are at hand as finished users. @returns the others. */
  const takeWholeUsers = (page: Hydration): Account[] => {
    const open: Account[] = [];
    const trusted = freshness.trusted();
    for (const [fid, account] of page.accounts) {
      const { user } = account.profile;
      if (trusted && user?.kept !== undefined && holds(user.kept, page.now, revision)) {
        page.wholeUsers.set(fid, user);
        page.basis?.noteKept(user.kept);
      } else open.push(account);
    }
    return open;
  };

  /** Takes those of the page's casts that are at hand as a whole. @returns them, and the contents of the others. */
  const takeWhole = (page: Hydration) => {
    const whole: [CastContent, KeptAssembly][] = [];
    const open = new Set<CastContent>();
    const trusted = freshness.trusted();
    for (const { content } of page.casts.values()) {
      const assembly = inOf(content.assembly, page.dialect);
      if (trusted && assembly !== undefined && holds(assembly, page.now, revision)) {
        whole.push([content, assembly]);
        page.basis?.noteKept(assembly);
        page.whole.set(content, assembly);
      } else open.add(content);
    }
    return { whole, open };
  };

  /** Leaves hidden authors out of casts that were put together for those who see them. */
  const takeApart = async (
    page: Hydration,
    whole: readonly [CastContent, KeptAssembly][],
    asked: ReadonlySet<number>,
    audience: Audience,
  ): Promise<void> => {
    const shown = whole.filter(([, { embeddedAuthors }]) => embeddedAuthors.some((fid) => page.hidden.has(fid)));
    if (shown.length === 0) return;
    const open = new Set(shown.map(([content]) => content));
    for (const content of open) page.whole.delete(content);
    const embedded = await readEmbedded(page, open);
    // A cast that came in since may be embedded now.
    const late = [...embedded].map(({ row }) => row.fid).filter((fid) => !asked.has(fid));
    await together(completeCasts(page, open, embedded), hidden.read(late, audience, page.hidden));
  };

  const speaking = (dialect: Dialect): Hydrate => ({
    speaking,
    users: async (fids, { now, viewer, basis, listed = [] }) => {
      const page = begin(now, dialect, basis);
      await accounts.read(fids, page.accounts, page.basis);
      const unknown = listed.filter((fid) => !page.accounts.has(fid));
      if (unknown.length > 0) await accountsOrDefaults.read(unknown, page.accounts, page.basis);
      const open = takeWholeUsers(page);
      if (open.length > 0) await completeUsers(page, open);
      if (viewer !== undefined) page.viewer = await viewers.read(viewer, fids, [], basis);
      return page;
    },
    casts: async (hashes, { now, viewer, basis, audience, users = [], withFaces = false }) => {
      const page = begin(now, dialect, basis);
      basis?.noteAll(audienceSources(audience));
      await together(casts.read(hashes, page.casts, page.basis), accounts.read(users, page.accounts, page.basis));
      const openUsers = takeWholeUsers(page);
      const { whole, open } = takeWhole(page);
      if (withFaces) for (const [, assembly] of whole) addFaces(assembly, page);
      const embedded = open.size === 0 ? open : await readEmbedded(page, open);
      const authors = new Set<number>();
      for (const [, { embeddedAuthors }] of whole) for (const fid of embeddedAuthors) authors.add(fid);
      for (const { row } of embedded) authors.add(row.fid);
      await together(
        // Those of all accounts are among what the casts are completed with.
        open.size > 0 ? completeCasts(page, open, embedded) : undefined,
        open.size === 0 && openUsers.length > 0 ? completeUsers(page, openUsers) : undefined,
        authors.size === 0 ? undefined : hidden.read([...authors], audience, page.hidden),
      );
      if (page.hidden.size > 0) await takeApart(page, whole, authors, audience);
      if (viewer !== undefined) page.viewer = await viewers.readPage(viewer, page, hashes, basis);
      return page;
    },
    viewers,
    fidOfUsername: async (username) => {
      const nameless = /^!([1-9]\d{0,15})$/.exec(username)?.[1];
      if (nameless !== undefined) {
        const fid = Number(nameless);
        if (!Number.isSafeInteger(fid)) return undefined;
        const found = new Map<number, Account>();
        await accounts.read([fid], found);
        const account = found.get(fid);
        return account === undefined || account.profile.row.username ? undefined : fid;
      }
      const name = username.toLowerCase();
      const found = new Map<string, number>();
      await usernames.read([name], found);
      return found.get(name);
    },
  });
  return speaking('neutral');
};
