import type { EntityKind } from '../cache/entity-kind.js';
import { selectUsers, selectUsersByUsername, type UserRow } from '../store/query/account.js';
import { nameOf, profileOf } from '../store/tag.js';

/** An account where no more than its name and picture are shown. */
export interface User {
  readonly row: UserRow;
  /** JSON of `UserDehydrated`, once the view wrote it. */
  dehydrated?: string;
}

/** Users that exist, by fid. */
export const userByFid: EntityKind<number, User> = {
  keyOf: (fid) => `user ${fid}`,
  tagsOf: (fid) => [profileOf(fid)],
  load: async (fids, read) => new Map((await selectUsers(read, fids)).map((row) => [row.fid, { value: { row } }])),
};

/** Users by the name that they show (lower case). */
export const userByUsername: EntityKind<string, User> = {
  keyOf: (name) => `username ${name}`,
  tagsOf: (name) => [nameOf(name)],
  load: async (names, read) => {
    const rows = await selectUsersByUsername(read, names);
    return new Map([...rows].map(([name, row]) => [name, { value: { row }, tags: [profileOf(row.fid)] }]));
  },
};
