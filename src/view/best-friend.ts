import type { Page } from '../hydrate/page.js';
import { displayedUsername } from '../hydrate/user.js';
import { quote, toBytes, viewNext } from './json.js';

/** @returns `BestFriendsResponse`; friends that are not in the page are left out. */
export const viewBestFriends = (
  friends: readonly { readonly fid: number; readonly affinity: number }[],
  page: Page,
  cursor: string | null,
): Buffer => {
  const items = friends.flatMap(({ fid, affinity }) => {
    const user = page.users.get(fid);
    if (user === undefined) return [];
    return [`{"fid":${fid},"mutual_affinity_score":${affinity},"username":${quote(displayedUsername(user.row))}}`];
  });
  return toBytes('{"users":[', items, `],${viewNext(cursor)}}`);
};
