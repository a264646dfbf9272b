import type { Page } from '../hydrate/page.js';
import { castName, viewCast } from './cast.js';
import { viewCastItems } from './cast-page.js';
import { requireItem, viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';

/** A conversation before rendering. Hashes: hex without 0x; casts that are not stored are left out. */
export interface ConversationTree {
  readonly hash: string;
  /** Replies by parent cast, in order. */
  readonly replies: ReadonlyMap<string, readonly string[]>;
  /** The oldest first; undefined if not requested. */
  readonly ancestors: readonly string[] | undefined;
  /** Cursor of the next direct replies; null on the last page. */
  readonly next: string | null;
}

/** Casts with their nested replies. */
const viewBranches = (hashes: readonly string[], tree: ConversationTree, page: Page): string[] =>
  viewItems(hashes, page, castName, (hash) => {
    const replies = viewBranches(tree.replies.get(hash) ?? [], tree, page);
    return viewCast(hash, page, `,"direct_replies":[${replies.join()}]`);
  });

/** @returns `Conversation`. @throws Error if the cast itself is not in the page, or cannot be rendered */
export const viewConversation = (tree: ConversationTree, page: Page): Buffer => {
  const cast = requireItem(viewBranches([tree.hash], tree, page), castName(tree.hash));
  const ancestors =
    tree.ancestors === undefined ? '' : `,"chronological_parent_casts":[${viewCastItems(tree.ancestors, page).join()}]`;
  return toBytes('{"conversation":{"cast":', [cast], `${ancestors}},${viewNext(tree.next)}}`);
};
