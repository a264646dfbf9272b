import type { ReadContext } from '../cache/read-context.js';
import { LinkSubtype } from '../protocol/link-subtype.js';
import { selectViewerLinks, selectViewerReactions } from '../store/query/viewer.js';

/** Links between a viewer and an account, as bits. */
export const LINK = { following: 1, blocking: 2, followedBy: 4, blockedBy: 8 } as const;
/** Reactions of a viewer to a cast, as bits that equal the protocol's types of reactions. */
export const REACTION = { liked: 1, recasted: 2 } as const;

/** Relations of a viewer to the accounts and casts of a page. */
export interface Relation {
  /** @returns bits of `LINK`. */
  links(fid: number): number;
  /** @param hash hex without 0x. @returns bits of `REACTION`. */
  reactions(hash: string): number;
}

const hydrateLinks = async (
  read: ReadContext,
  viewer: number,
  fids: readonly number[],
): Promise<Map<number, number>> => {
  const links = new Map<number, number>();
  if (fids.length === 0) return links;
  const add = (fid: number, bit: number) => links.set(fid, (links.get(fid) ?? 0) | bit);
  for (const { fid, targetFid, type } of await selectViewerLinks(read, viewer, fids)) {
    if (fid === viewer) add(targetFid, type === LinkSubtype.follow ? LINK.following : LINK.blocking);
    if (targetFid === viewer) add(fid, type === LinkSubtype.follow ? LINK.followedBy : LINK.blockedBy);
  }
  return links;
};

const hydrateReactions = async (
  read: ReadContext,
  viewer: number,
  casts: readonly { readonly fid: number; readonly hash: string }[],
): Promise<Map<string, number>> => {
  const reactions = new Map<string, number>();
  if (casts.length === 0) return reactions;
  for (const { hash, type } of await selectViewerReactions(read, viewer, casts)) {
    reactions.set(hash, (reactions.get(hash) ?? 0) | type);
  }
  return reactions;
};

/** Sends two statements in parallel. */
export const hydrateRelation = async (
  read: ReadContext,
  viewer: number,
  fids: readonly number[],
  casts: readonly { readonly fid: number; readonly hash: string }[],
): Promise<Relation> => {
  const [links, reactions] = await Promise.all([
    hydrateLinks(read, viewer, fids),
    hydrateReactions(read, viewer, casts),
  ]);
  return { links: (fid) => links.get(fid) ?? 0, reactions: (hash) => reactions.get(hash) ?? 0 };
};
