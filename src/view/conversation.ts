import type { Hydration } from '../hydrate/hydrate.js';
import { shownCast, writeCast } from './cast.js';
import { writeCasts } from './cast-page.js';
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

/** Writes a cast with its replies, theirs within. @returns whether the cast is stored. */
const writeBranch = (json: JsonWriter, hash: string, tree: ConversationTree, page: Hydration, comma = ''): boolean => {
  const shown = shownCast(json, hash, page);
  if (shown === undefined) return false;
  json.text(comma);
  writeCast(json, shown, page);
  json.back(1);
  json.text(',"direct_replies":[');
  let some = false;
  for (const reply of tree.replies.get(hash) ?? []) {
    if (writeBranch(json, reply, tree, page, some ? ',' : '')) some = true;
  }
  json.text(']}');
  return true;
};

/** @returns `Conversation`; the cast itself must be in the page. */
export const viewConversation = (tree: ConversationTree, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"conversation":{"cast":');
  writeBranch(json, tree.hash, tree, page);
  if (tree.ancestors !== undefined) {
    json.text(',"chronological_parent_casts":[');
    writeCasts(json, tree.ancestors, page);
    json.text(']');
  }
  json.text(`},"next":{"cursor":${JSON.stringify(tree.next)}}}`);
  return new Rendered(json.finish());
};
