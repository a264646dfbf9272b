import type { Static } from 'typebox';
import { hydrateHidden } from '../../hydrate/hidden.js';
import { hydrateUsers } from '../../hydrate/page.js';
import type { User } from '../../schema/social/user.js';
import type { Audience } from '../../store/visibility.js';
import { parseRendered } from '../../view/json.js';
import { userName, viewUserOf } from '../../view/user.js';
import type { Services } from '../http/service.js';

/** @returns whether lists of what an account did are empty for the audience */
export const isHidden = async ({ reads }: Pick<Services, 'reads'>, fid: number, audience: Audience): Promise<boolean> =>
  (await hydrateHidden(reads.forDialect('neutral').open(), [fid], audience)).has(fid);

/** @returns by fid the accounts as the audience sees them; hidden and unknown ones are missing */
export const visibleUsers = async (
  { reads }: Pick<Services, 'reads'>,
  fids: readonly number[],
  audience: Audience,
): Promise<Map<number, Static<typeof User>>> => {
  // The names of the response are translated afterwards, so they are neutral here.
  const read = reads.forDialect('neutral').open();
  const [page, hidden] = await Promise.all([
    hydrateUsers(read, fids, { viewer: audience.viewer ?? undefined }),
    hydrateHidden(read, fids, audience),
  ]);
  const users = new Map<number, Static<typeof User>>();
  for (const fid of new Set(fids)) {
    if (hidden.has(fid)) continue;
    try {
      const user = viewUserOf(fid, page);
      if (user !== undefined) users.set(fid, parseRendered(user) as Static<typeof User>);
    } catch (error) {
      page.report(userName(fid), error);
    }
  }
  return users;
};
