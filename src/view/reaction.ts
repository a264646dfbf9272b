import type { Page } from '../hydrate/page.js';
import { toIso } from '../protocol/time.js';
import { castName, viewCast } from './cast.js';
import { viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';
import { userName, viewUserOf } from './user.js';
import { viewUserDehydrated } from './user-dehydrated.js';

/** A reaction of a list. */
interface Reaction {
  /** Like 1, recast 2. */
  readonly type: number;
  /** Protocol seconds. */
  readonly ts: number;
  /** Account of the app that signed it; null if unknown. */
  readonly appFid: number | null;
}

/** @returns `object` for a type of reaction: 1 likes, 2 recasts */
export const reactionObject = (type: number): 'likes' | 'recasts' => (type === 1 ? 'likes' : 'recasts');

const viewReaction = ({ type, ts, appFid }: Reaction, page: Page): string =>
  `"object":"${reactionObject(type)}","reaction_type":"${type === 1 ? 'like' : 'recast'}",` +
  `"reaction_timestamp":"${toIso(ts)}"${appFid === null ? '' : `,"app":${viewUserDehydrated(appFid, page)}`}`;

/**
 * @param fid the reacting account
 * @returns `ReactionsResponse`; reactions whose cast was removed since the list was read are left out
 */
export const viewUserReactions = (
  fid: number,
  reactions: readonly (Reaction & { readonly castHash: string })[],
  cursor: string | null,
  page: Page,
): Buffer => {
  const nameOf = (reaction: { readonly castHash: string }): string => `reaction to ${castName(reaction.castHash)}`;
  const items = viewItems(reactions, page, nameOf, (reaction) => {
    const cast = viewCast(reaction.castHash, page);
    return cast && `{${viewReaction(reaction, page)},"user":${viewUserDehydrated(fid, page)},"cast":${cast}}`;
  });
  return toBytes('{"reactions":[', items, `],${viewNext(cursor)}}`);
};

/** @returns `ReactionsCastResponse`; reactions of accounts that were removed since the list was read are left out */
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
