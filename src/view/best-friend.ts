import type { Static } from 'typebox';
import type { Hydration } from '../hydrate/hydrate.js';
import { BestFriendsResponse } from '../schema/best-friend.js';
import { Rendered } from './rendered.js';
import { serializer } from './serializer.js';
import { viewUsername } from './user-dehydrated.js';

const serialize = serializer(BestFriendsResponse);

/** @returns `BestFriendsResponse`; friends that are not in the page are left out. */
export const viewBestFriends = (
  friends: readonly { readonly fid: number; readonly affinity: number }[],
  page: Hydration,
  cursor: string | null,
): Rendered => {
  const users = friends.flatMap(({ fid, affinity }): Static<typeof BestFriendsResponse>['users'] => {
    const account = page.accounts.get(fid);
    if (account === undefined) return [];
    return [{ fid, mutual_affinity_score: affinity, username: viewUsername(account.profile) }];
  });
  return new Rendered(Buffer.from(serialize({ users, next: { cursor } })));
};
