import type { Page } from '../hydrate/page.js';
import { viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';
import { userName, viewUserOf } from './user.js';

/** `at` in Unix microseconds. */
interface Mute {
  readonly fid: number;
  readonly at: number;
}

/** @returns `MuteListResponse` */
export const viewMutes = (mutes: readonly Mute[], cursor: string | null, page: Page): Buffer => {
  const nameOf = ({ fid }: Mute): string => `mute of ${userName(fid)}`;
  const items = viewItems(mutes, page, nameOf, ({ fid, at }) => {
    const user = viewUserOf(fid, page);
    return user && `{"object":"mute","muted_at":"${new Date(at / 1000).toISOString()}","muted":${user}}`;
  });
  return toBytes(`{${viewNext(cursor)},"mutes":[`, items, ']}');
};
