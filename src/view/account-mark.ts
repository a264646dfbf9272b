import type { Page } from '../hydrate/page.js';
import { viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';
import { userName, viewUserOf } from './user.js';

/** A ban or mute of an account; `at` in Unix microseconds. */
interface Mark {
  readonly fid: number;
  readonly at: number;
}

const viewMarks =
  (name: string, participle: string) =>
  (marks: readonly Mark[], cursor: string | null, page: Page): Buffer => {
    const nameOf = ({ fid }: Mark): string => `${name} of ${userName(fid)}`;
    const items = viewItems(marks, page, nameOf, ({ fid, at }) => {
      const user = viewUserOf(fid, page);
      const time = new Date(at / 1000).toISOString();
      return user && `{"object":"${name}","${participle}_at":"${time}","${participle}":${user}}`;
    });
    return toBytes(`{${viewNext(cursor)},"${name}s":[`, items, ']}');
  };

/** @returns `BanListResponse` */
export const viewBans = viewMarks('ban', 'banned');
/** @returns `MuteListResponse` */
export const viewMutes = viewMarks('mute', 'muted');
