import type { Page } from '../hydrate/page.js';
import { toIso } from '../protocol/time.js';
import { viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';
import { userName, viewUserOf } from './user.js';
import { viewUserDehydrated } from './user-dehydrated.js';

/** A follow in a list; `ts` in protocol seconds, `appFid` null if the app is unknown. */
interface Follow {
  readonly fid: number;
  readonly ts: number;
  readonly appFid: number | null;
}

const nameOf = ({ fid }: { readonly fid: number }): string => userName(fid);

const viewFollowerItems = (follows: readonly Omit<Follow, 'ts'>[], page: Page): string[] =>
  viewItems(follows, page, nameOf, ({ fid, appFid }) => {
    const user = viewUserOf(fid, page);
    const app = appFid === null ? '' : `,"app":${viewUserDehydrated(appFid, page)}`;
    return user && `{"object":"follower","user":${user}${app}}`;
  });

/** @returns `FollowersResponse` */
export const viewFollowers = (follows: readonly Follow[], page: Page, cursor: string | null): Buffer =>
  toBytes(`{${viewNext(cursor)},"users":[`, viewFollowerItems(follows, page), ']}');

/** @returns `ReciprocalFollowersResponse` */
export const viewReciprocalFollowers = (follows: readonly Follow[], page: Page, cursor: string | null): Buffer => {
  const items = viewItems(follows, page, nameOf, ({ fid, ts }) => {
    const user = viewUserOf(fid, page);
    return user && `{"object":"reciprocal_follower","timestamp":"${toIso(ts)}","user":${user}}`;
  });
  return toBytes(`{${viewNext(cursor)},"users":[`, items, ']}');
};

/**
 * @param top shown in full
 * @param all shown by name and picture
 * @returns `RelevantFollowersResponse`
 */
export const viewRelevantFollowers = (
  top: readonly Omit<Follow, 'ts'>[],
  all: readonly { readonly fid: number }[],
  page: Page,
): Buffer => {
  const dehydrated = all.map(({ fid }) => `{"object":"follower_dehydrated","user":${viewUserDehydrated(fid, page)}}`);
  const end = `],"all_relevant_followers_dehydrated":[${dehydrated.join()}]}`;
  return toBytes('{"top_relevant_followers_hydrated":[', viewFollowerItems(top, page), end);
};
