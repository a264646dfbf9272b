import type { Database } from '../store/database.js';
import { followersOf, followsOf, reactionsOf, relationsOf } from '../store/list-source.js';
import { selectViewerLinks, selectViewerReactions } from '../store/viewer-read.js';
import type { Assembly } from './assembly.js';
import type { Basis } from './basis.js';
import type { Cast } from './cast.js';
import { FactCache } from './fact-cache.js';
import type { Freshness } from './freshness.js';

/** Links between a viewer and an account, as bits; types of links are 1 follow and 2 block. */
export const LINK = { following: 1, blocking: 2, followedBy: 4, blockedBy: 8 } as const;
/** Reactions of a viewer to a cast, as bits that equal the types of reactions. */
export const REACTION = { liked: 1, recasted: 2 } as const;

/** How the viewer stands to the accounts and casts of a page. */
export interface Viewer {
  /** @returns bits of `LINK`. */
  links(fid: number): number;
  /** @param hash hex without 0x. @returns bits of `REACTION`. */
  reactions(hash: string): number;
}

type ShownCast = { readonly fid: number; readonly hash: string };

interface ViewedPage {
  readonly accounts: ReadonlyMap<number, unknown>;
  readonly casts: ReadonlyMap<string, Cast>;
  readonly whole: ReadonlyMap<unknown, Assembly>;
}

/** Finds out how viewers stand to accounts and casts. */
export interface ViewerReader {
  /** Two queries at most, side by side; none for what is known. Fids may be named more than once. */
  read(viewer: number, fids: readonly number[], casts: readonly ShownCast[], basis?: Basis): Promise<Viewer>;
  /**
   * The same for everybody on a page, also those in casts that are there as finished bytes.
   * @param hashes of the casts that say whether the viewer reacted to them
   */
  readPage(viewer: number, page: ViewedPage, hashes: readonly string[], basis?: Basis): Promise<Viewer>;
}

/** A page shows more accounts than casts. */
const LINK_SHARE = 0.75;

const loadLinks = async (db: Database, viewer: number, fids: readonly number[]): Promise<Map<number, number>> => {
  const facts = new Map(fids.map((fid) => [fid, 0]));
  if (fids.length === 0) return facts;
  const add = (fid: number, mask: number) => facts.set(fid, (facts.get(fid) ?? 0) | mask);
  for (const { fid, target_fid, type } of await selectViewerLinks(db, viewer, fids)) {
    if (fid === viewer) add(target_fid, type === 1 ? LINK.following : LINK.blocking);
    if (target_fid === viewer) add(fid, type === 1 ? LINK.followedBy : LINK.blockedBy);
  }
  return facts;
};

const loadReactions = async (
  db: Database,
  viewer: number,
  casts: readonly ShownCast[],
): Promise<Map<string, number>> => {
  const facts = new Map(casts.map(({ hash }) => [hash, 0]));
  if (casts.length === 0) return facts;
  for (const { hash, type } of await selectViewerReactions(db, viewer, casts)) {
    facts.set(hash, (facts.get(hash) ?? 0) | type);
  }
  return facts;
};

/** @param bytes bound of what is kept, as for `FactCache` */
export const createViewerReader = (db: Database, freshness: Freshness, bytes: number): ViewerReader => {
  const links = new FactCache<number, number>(freshness, Math.floor(bytes * LINK_SHARE));
  const reactions = new FactCache<string, number>(freshness, Math.floor(bytes * (1 - LINK_SHARE)));

  const read: ViewerReader['read'] = async (viewer, fids, casts, basis) => {
    const key = String(viewer);
    const toAccounts = { key, sources: new Set([followsOf(viewer), followersOf(viewer), relationsOf(viewer)]) };
    const toCasts = { key, sources: new Set([reactionsOf(viewer)]) };
    basis?.noteAll(toAccounts.sources);
    basis?.noteAll(toCasts.sources);
    const hashes = casts.map(({ hash }) => hash);
    const [byFid, byHash] = await Promise.all([
      links.read(toAccounts, fids, (unknown) => loadLinks(db, viewer, unknown)),
      reactions.read(toCasts, hashes, (unknown) => {
        const wanted = new Set(unknown);
        return loadReactions(
          db,
          viewer,
          casts.filter(({ hash }) => wanted.has(hash)),
        );
      }),
    ]);
    return { links: (fid) => byFid.get(fid) ?? 0, reactions: (hash) => byHash.get(hash) ?? 0 };
  };

  return {
    read,
    readPage: (viewer, page, hashes, basis) => {
      const fids = [...page.accounts.keys()];
      for (const { users } of page.whole.values()) for (const { fid } of users) fids.push(fid);
      const shown = hashes.flatMap((hash) => page.casts.get(hash)?.content.row ?? []);
      return read(viewer, fids, shown, basis);
    },
  };
};
