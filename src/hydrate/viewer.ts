import type { Database } from '../store/database.js';
import { selectViewerLinks, selectViewerReactions } from '../store/viewer-read.js';

/** How the viewer stands to the accounts and casts of a page. Read anew for each page: nobody else would share it. */
export interface Viewer {
  readonly following: ReadonlySet<number>;
  readonly followedBy: ReadonlySet<number>;
  readonly blocking: ReadonlySet<number>;
  readonly blockedBy: ReadonlySet<number>;
  /** Hashes, hex without 0x. */
  readonly liked: ReadonlySet<string>;
  readonly recasted: ReadonlySet<string>;
}

const FOLLOW = 1;
const BLOCK = 2;
const LIKE = 1;
const RECAST = 2;

/** Two queries at most, side by side. */
export const hydrateViewer = async (
  db: Database,
  viewer: number,
  fids: readonly number[],
  casts: readonly { readonly fid: number; readonly hash: string }[],
): Promise<Viewer> => {
  const [links, reactions] = await Promise.all([
    fids.length > 0 ? selectViewerLinks(db, viewer, fids) : [],
    casts.length > 0 ? selectViewerReactions(db, viewer, casts) : [],
  ]);
  const targets = (type: number) =>
    new Set(links.filter((link) => link.type === type && link.fid === viewer).map((link) => link.target_fid));
  const sources = (type: number) =>
    new Set(links.filter((link) => link.type === type && link.target_fid === viewer).map((link) => link.fid));
  const reacted = (type: number) => new Set(reactions.filter((row) => row.type === type).map((row) => row.hash));
  return {
    following: targets(FOLLOW),
    followedBy: sources(FOLLOW),
    blocking: targets(BLOCK),
    blockedBy: sources(BLOCK),
    liked: reacted(LIKE),
    recasted: reacted(RECAST),
  };
};
