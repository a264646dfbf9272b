import type { Page } from '../hydrate/page.js';
import { toIso } from '../protocol/time.js';
import { castName, viewCast } from './cast.js';
import { viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';
import { userName, viewUserOf } from './user.js';
import { viewUserDehydrated } from './user-dehydrated.js';

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

/** A reaction's own members. */
const viewReaction = ({ type, ts, app_fid }: Reaction, page: Page): string =>
  `"object":"${reactionObject(type)}","reaction_type":"${type === 1 ? 'like' : 'recast'}",` +
  `"reaction_timestamp":"${toIso(ts)}"${app_fid === null ? '' : `,"app":${viewUserDehydrated(app_fid, page)}`}`;

/**
 * @param fid who reacted
 * @returns `ReactionsResponse`; reactions whose cast went away since the list was made are left out.
 */
export const viewUserReactions = (
  fid: number,
  reactions: readonly (Reaction & { readonly cast_hash: string })[],
  cursor: string | null,
  page: Page,
): Buffer => {
  const nameOf = (reaction: { readonly cast_hash: string }): string => `reaction to ${castName(reaction.cast_hash)}`;
  const items = viewItems(reactions, page, nameOf, (reaction) => {
    const cast = viewCast(reaction.cast_hash, page);
    return cast && `{${viewReaction(reaction, page)},"user":${viewUserDehydrated(fid, page)},"cast":${cast}}`;
  });
  return toBytes('{"reactions":[', items, `],${viewNext(cursor)}}`);
};

/** @returns `ReactionsCastResponse`; reactions of accounts that went away since the list was made are left out. */
export const viewCastReactions = (
  reactions: readonly (Reaction & { readonly fid: number })[],
  cursor: string | null,
  page: Page,
): Buffer => {
  const nameOf = (reaction: { readonly fid: number }): string => `reaction by ${userName(reaction.fid)}`;
  const items = viewItems(reactions, page, nameOf, (reaction) => {
    const user = viewUserOf(reaction.fid, page);
    return user && `{${viewReaction(reaction, page)},"user":${user}}`;
  });
  return toBytes('{"reactions":[', items, `],${viewNext(cursor)}}`);
};
