import type { Hydration } from '../hydrate/hydrate.js';
import { castName, shownCast, writeCast } from './cast.js';
import { writeCasts } from './cast-page.js';
import { requireWritten, writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';

/** A conversation before it is written. Hashes: hex without 0x; casts that are not stored are left out. */
export interface ConversationTree {
  readonly hash: string;
  /** Replies by the cast that they answer, in order. */
  readonly replies: ReadonlyMap<string, readonly string[]>;
  /** The oldest first; undefined: not asked for. */
  readonly ancestors: readonly string[] | undefined;
  /** Cursor of the next direct replies; null: there are no more. */
  readonly next: string | null;
}

/** Writes casts with their replies, theirs within. @returns how many are stored. */
const writeBranches = (json: JsonWriter, hashes: readonly string[], tree: ConversationTree, page: Hydration): number =>
  writeItems(json, hashes, page, castName, (hash) => {
    const shown = shownCast(json, hash, page);
    if (shown === undefined) return false;
    writeCast(json, shown, page);
    json.back(1);
    json.text(',"direct_replies":[');
    writeBranches(json, tree.replies.get(hash) ?? [], tree, page);
    json.text(']}');
    return true;
  });

/** @returns `Conversation`. @throws Error when the cast itself is not in the page, or cannot be rendered */
export const viewConversation = (tree: ConversationTree, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"conversation":{"cast":');
  requireWritten(writeBranches(json, [tree.hash], tree, page), castName(tree.hash));
  if (tree.ancestors !== undefined) {
    json.text(',"chronological_parent_casts":[');
    writeCasts(json, tree.ancestors, page);
    json.text(']');
  }
  json.text(`},"next":{"cursor":${JSON.stringify(tree.next)}}}`);
  return new Rendered(json.finish());
};
