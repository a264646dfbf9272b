import type { EntityKind } from '../cache/read-context.js';
import { selectUsers, selectUsersByUsername, type UserRow } from '../store/query/account.js';
import { nameOf, profileOf } from '../store/tag.js';

/** An account that is shown only by name and picture. */
export interface User {
  readonly row: UserRow;
  /** JSON of `UserDehydrated`; set when the view first renders it. */
  dehydrated?: string;
}

/** @returns the displayed name of an account: its username, or `!` and its fid if it has none */
export const displayedUsername = ({ username, fid }: Pick<UserRow, 'username' | 'fid'>): string =>
  username || `!${fid}`;

/** Users that exist, by fid. */
export const userByFid: EntityKind<number, User> = {
  keyOf: (fid) => `user ${fid}`,
  tagsOf: (fid) => [profileOf(fid)],
  load: async (fids, read) => new Map((await selectUsers(read, fids)).map((row) => [row.fid, { value: { row } }])),
};

/** Users by displayed name (lower case). */
export const userByUsername: EntityKind<string, User> = {
  keyOf: (name) => `username ${name}`,
  tagsOf: (name) => [nameOf(name)],
  load: async (names, read) => {
    const rows = await selectUsersByUsername(read, names);
    return new Map([...rows].map(([name, row]) => [name, { value: { row }, tags: [profileOf(row.fid)] }]));
  },
};
