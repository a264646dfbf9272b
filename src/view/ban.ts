import type { Page } from '../hydrate/page.js';
import { viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';
import { userName, viewUserOf } from './user.js';

/** `at` in Unix microseconds. */
interface Ban {
  readonly fid: number;
  readonly at: number;
}

/** @returns `BanListResponse` */
export const viewBans = (bans: readonly Ban[], cursor: string | null, page: Page): Buffer => {
  const nameOf = ({ fid }: Ban): string => `ban of ${userName(fid)}`;
  const items = viewItems(bans, page, nameOf, ({ fid, at }) => {
    const user = viewUserOf(fid, page);
    return user && `{"object":"ban","banned_at":"${new Date(at / 1000).toISOString()}","banned":${user}}`;
  });
  return toBytes(`{${viewNext(cursor)},"bans":[`, items, ']}');
};
