import type { Static } from 'typebox';
import type { Reads } from '../../cache/read-cache.js';
import { afterCommit } from '../../db/commit-outcome.js';
import { hydrateUsers } from '../../hydrate/page.js';
import type { User } from '../../schema/social/user.js';
import { viewUserItems } from '../../view/user-page.js';

/** @returns an account that was just registered, with neutral names, because a stored response is repeated in either dialect */
export const readUser = async (reads: Reads, fid: number): Promise<Static<typeof User>> => {
  const page = await afterCommit(() => hydrateUsers(reads.forDialect('neutral').open(), [fid], { listed: [fid] }));
  return JSON.parse(viewUserItems([fid], page)[0] as string) as Static<typeof User>;
};
