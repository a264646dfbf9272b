import type { Hydration } from '../hydrate/hydrate.js';
import { toIso } from '../protocol/time.js';
import { castName, shownCast, writeCast } from './cast.js';
import { writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { userName, writeUserOf } from './user.js';
import { renderUserDehydrated } from './user-dehydrated.js';

/** A reaction as a list names it. */
interface Reaction {
  /** Like 1, recast 2. */
  readonly type: number;
  /** Protocol seconds. */
  readonly ts: number;
  /** Account of the app it was signed through; null: not known. */
  readonly app_fid: number | null;
}

/** @returns the word for a kind of reaction in `object`: 1 likes, 2 recasts. */
export const reactionObject = (type: number): 'likes' | 'recasts' => (type === 1 ? 'likes' : 'recasts');

/** Writes a reaction's own members, behind an open brace and up to the comma before what it refers to. */
const writeReaction = (json: JsonWriter, { type, ts, app_fid }: Reaction, page: Hydration): void => {
  json.text(
    `"object":"${reactionObject(type)}","reaction_type":"${type === 1 ? 'like' : 'recast'}",` +
      `"reaction_timestamp":"${toIso(ts)}",`,
  );
  if (app_fid === null) return;
  json.text('"app":');
  json.bytes(renderUserDehydrated(app_fid, page.accounts.get(app_fid)));
  json.text(',');
};

const writeNext = (json: JsonWriter, cursor: string | null): void => {
  json.text(`],"next":{"cursor":${JSON.stringify(cursor)}}}`);
};

/**
 * @param fid who reacted
 * @returns `ReactionsResponse`; reactions whose cast went away since the list was made are left out.
 */
export const viewUserReactions = (
  fid: number,
  reactions: readonly (Reaction & { readonly cast_hash: string })[],
  cursor: string | null,
  page: Hydration,
): Rendered => {
  const json = new JsonWriter();
  json.text('{"reactions":[');
  const nameOf = (reaction: { readonly cast_hash: string }): string => `reaction to ${castName(reaction.cast_hash)}`;
  writeItems(json, reactions, page, nameOf, (reaction) => {
    const shown = shownCast(json, reaction.cast_hash, page);
    if (shown === undefined) return false;
    json.text('{');
    writeReaction(json, reaction, page);
    json.text('"user":');
    json.bytes(renderUserDehydrated(fid, page.accounts.get(fid)));
    json.text(',"cast":');
    writeCast(json, shown, page);
    json.text('}');
    return true;
  });
  writeNext(json, cursor);
  return new Rendered(json.finish());
};

/** @returns `ReactionsCastResponse`; reactions of accounts that went away since the list was made are left out. */
export const viewCastReactions = (
  reactions: readonly (Reaction & { readonly fid: number })[],
  cursor: string | null,
  page: Hydration,
): Rendered => {
  const json = new JsonWriter();
  json.text('{"reactions":[');
  const nameOf = (reaction: { readonly fid: number }): string => `reaction by ${userName(reaction.fid)}`;
  writeItems(json, reactions, page, nameOf, (reaction) => {
    json.text('{');
    writeReaction(json, reaction, page);
    json.text('"user":');
    if (!writeUserOf(json, reaction.fid, page)) return false;
    json.text('}');
    return true;
  });
  writeNext(json, cursor);
  return new Rendered(json.finish());
};
