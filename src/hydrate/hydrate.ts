import type { Database } from '../store/database.js';
import type { Audience } from '../store/visibility.js';
import { type Account, accountSource, usernameSource } from './account.js';
import { type Cast, castSource, type SignerApps, signerAppSource } from './cast.js';
import { type Channel, channelSource, channelUrlSource } from './channel.js';
import { EntityCache, type EntitySource } from './entity-cache.js';
import type { Freshness } from './freshness.js';
import { createHiddenReader } from './hidden.js';
import { hydrateViewer, type Viewer } from './viewer.js';

/** Everything that the view of a page needs, and nothing that is not stored. */
export interface Hydration {
  /** Unix milliseconds at which the page is made. */
  readonly now: number;
  readonly accounts: Map<number, Account>;
  /** Fids by the names that stand in bios. */
  readonly fidsByUsername: Map<string, number>;
  /** By hash, 40 hex digits; also the casts that others embed, two levels deep. */
  readonly casts: Map<string, Cast>;
  /** By the cast's author. */
  readonly signerApps: Map<number, SignerApps>;
  readonly channels: Map<string, Channel>;
  readonly channelsByUrl: Map<string, Channel>;
  /** Authors whose casts are left out where others embed them. */
  readonly hidden: Set<number>;
  /** Undefined: no viewer was named. */
  viewer?: Viewer;
}

export interface HydrateOptions {
  /** Unix milliseconds. */
  readonly now: number;
  /** Fid whose relations to users and casts the page shows. */
  readonly viewer?: number | undefined;
}

export interface CastHydrateOptions extends HydrateOptions {
  /** From whom casts of some authors are hidden where others embed them. */
  readonly audience: Audience;
}

/**
 * From ids to entities. A page takes a fixed number of queries whatever its size, and none when all of its
 * entities are at hand and no viewer is named. Ids that are not stored are missing in the answer.
 */
export interface Hydrate {
  /** Users in full, hidden ones too, with the accounts and channels that their bios and auth addresses name. */
  users(fids: readonly number[], options: HydrateOptions): Promise<Hydration>;
  /**
   * Casts in full (hashes: 40 hex digits, lower case), with authors, mentions, apps, channels and embedded casts.
   * The casts asked for are there whoever wrote them: leaving out hidden authors is up to the query that made the
   * list, and who asks for a cast by its hash gets it. Embedded casts of authors that the app banned, the viewer muted
   * or a block stands between are left out of their parents in every case.
   */
  casts(hashes: readonly string[], options: CastHydrateOptions): Promise<Hydration>;
  /** @returns who goes by this name (in upper or lower case; `!<fid>` for accounts without one), undefined: nobody. */
  fidOfUsername(username: string): Promise<number | undefined>;
}

/** How the bytes are shared out. Accounts and casts are read by every page, the rest is small. */
const SHARE = { accounts: 0.4, casts: 0.48, signerApps: 0.05, channels: 0.02, channelsByUrl: 0.03, usernames: 0.02 };

/** Waits for reads that are not at hand; costs nothing when all are. */
const together = (...reads: (Promise<void> | undefined)[]): Promise<unknown> | undefined =>
  reads.some((read) => read !== undefined) ? Promise.all(reads) : undefined;

/**
 * @param options `cacheBytes` bounds the entities kept in memory with their fragments (0: none is kept);
 *   `freshness` says what to forget, and when nothing kept may be used.
 */
export const createHydrate = (options: { db: Database; cacheBytes: number; freshness: Freshness }): Hydrate => {
  const { db, cacheBytes, freshness } = options;
  const cache = <K extends string | number, V extends NonNullable<unknown>>(
    source: EntitySource<K, V>,
    share: number,
  ) => new EntityCache(source, Math.floor(cacheBytes * share), freshness.trusted);
  const accounts = cache(accountSource(db), SHARE.accounts);
  const usernames = cache(usernameSource(db), SHARE.usernames);
  const casts = cache(castSource(db), SHARE.casts);
  const signerApps = cache(signerAppSource(db), SHARE.signerApps);
  const channels = cache(channelSource(db), SHARE.channels);
  const channelsByUrl = cache(channelUrlSource(db), SHARE.channelsByUrl);
  const hidden = createHiddenReader(db, freshness);

  freshness.subscribe((touched) => {
    if (touched.all) {
      for (const one of [accounts, usernames, casts, signerApps, channels, channelsByUrl]) one.dropAll();
      return;
    }
    for (const fid of touched.fids) {
      accounts.drop(fid);
      signerApps.drop(fid);
    }
    // Any of these accounts may have given up a name or taken one that nobody had.
    if (touched.fids.length > 0) usernames.dropAll();
    for (const hash of touched.casts) {
      casts.drop(Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex'));
    }
  });

  /** What `User` shows beside the account itself, for all accounts read so far. */
  const completeUsers = async (page: Hydration): Promise<void> => {
    const names: string[] = [];
    const channelIds: string[] = [];
    const fids: number[] = [];
    for (const { profile } of page.accounts.values()) {
      for (const token of profile.bioNames) names.push(token.value);
      for (const token of profile.bioChannels) channelIds.push(token.value);
      for (const [, fid] of profile.row.auth_keys ?? []) if (fid !== null) fids.push(fid);
    }
    await together(usernames.read(names, page.fidsByUsername), channels.read(channelIds, page.channels));
    for (const name of names) {
      const fid = page.fidsByUsername.get(name);
      if (fid !== undefined) fids.push(fid);
    }
    await accounts.read(fids, page.accounts);
  };

  const completeCasts = async (page: Hydration, hashes: readonly string[], audience: Audience): Promise<void> => {
    let level = hashes;
    await casts.read(level, page.casts);
    const embeddedAuthors = new Set<number>();
    for (let depth = 0; depth < 2 && level.length > 0; depth++) {
      level = level.flatMap((hash) => page.casts.get(hash)?.content.embeddedHashes ?? []);
      await casts.read(level, page.casts);
      for (const hash of level) {
        const cast = page.casts.get(hash);
        if (cast !== undefined) embeddedAuthors.add(cast.content.row.fid);
      }
    }
    const authors: number[] = [];
    const mentioned: number[] = [];
    const channelIds: string[] = [];
    const channelUrls: string[] = [];
    for (const { content } of page.casts.values()) {
      authors.push(content.row.fid);
      mentioned.push(...content.row.mentions);
      channelIds.push(...content.channelIds);
      if (content.channelUrl !== null) channelUrls.push(content.channelUrl);
    }
    await together(
      accounts.read(authors.concat(mentioned), page.accounts),
      signerApps.read(authors, page.signerApps),
      channels.read(channelIds, page.channels),
      channelsByUrl.read(channelUrls, page.channelsByUrl),
      hidden.read([...embeddedAuthors], audience, page.hidden),
    );
    const others: number[] = [];
    for (const { content } of page.casts.values()) {
      const app = page.signerApps.get(content.row.fid)?.get(content.row.signer);
      if (app !== undefined) others.push(app);
    }
    for (const { row } of page.channelsByUrl.values()) if (row.lead_fid !== null) others.push(row.lead_fid);
    await accounts.read(others, page.accounts);
  };

  const begin = (now: number): Hydration => ({
    now,
    accounts: new Map(),
    fidsByUsername: new Map(),
    casts: new Map(),
    signerApps: new Map(),
    channels: new Map(),
    channelsByUrl: new Map(),
    hidden: new Set(),
  });

  return {
    users: async (fids, { now, viewer }) => {
      const page = begin(now);
      await accounts.read(fids, page.accounts);
      await completeUsers(page);
      if (viewer !== undefined) page.viewer = await hydrateViewer(db, viewer, fids, []);
      return page;
    },
    casts: async (hashes, { now, viewer, audience }) => {
      const page = begin(now);
      await completeCasts(page, hashes, audience);
      await completeUsers(page);
      if (viewer !== undefined) {
        const shown = hashes.flatMap((hash) => page.casts.get(hash)?.content.row ?? []);
        page.viewer = await hydrateViewer(db, viewer, [...page.accounts.keys()], shown);
      }
      return page;
    },
    fidOfUsername: async (username) => {
      const nameless = /^!([1-9]\d{0,14})$/.exec(username)?.[1];
      if (nameless !== undefined) {
        const fid = Number(nameless);
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
  };
};
