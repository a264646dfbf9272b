import fc from 'fast-check';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { arbitraryPage, FIDS } from '../../test/support/arbitrary-page.js';
import { expectView } from '../../test/support/expect-view.js';
import { plainUser, plainUserDehydrated } from '../../test/support/expected-view.js';
import { rounds } from '../../test/support/rounds.js';
import { BulkUsersResponse, UserResponse, UserSearchResponse, UsersResponse } from '../schema/social/user.js';
import { UserDehydrated } from '../schema/social/user-dehydrated.js';
import { viewUserDehydrated } from './user-dehydrated.js';
import { viewUserList, viewUserResponse, viewUserSearch, viewUsers } from './user-page.js';

test('users are as the interface says, whatever they call themselves', () => {
  fc.assert(
    fc.property(arbitraryPage, (page) => {
      const users = FIDS.flatMap((fid) => plainUser(fid, page) ?? []);
      const view = (): void => expectView(BulkUsersResponse, page.dialect, viewUsers(FIDS, page), { users });
      view();
      // The second rendering uses the JSON cached with the accounts.
      view();
    }),
    { numRuns: rounds(300) },
  );
});

test('users in dehydrated form are as the interface says, stored or not', () => {
  const users = Type.Array(UserDehydrated);
  fc.assert(
    fc.property(arbitraryPage, (page) => {
      const fids = [...FIDS, 77];
      const json = fids.map((fid) => viewUserDehydrated(fid, page));
      const plain = fids.map((fid) => plainUserDehydrated(fid, page));
      expectView(users, page.dialect, `[${json}]`, plain);
    }),
    { numRuns: rounds(300) },
  );
});

test('JSON cached for one dialect is not shown in another', () => {
  fc.assert(
    fc.property(arbitraryPage, (page) => {
      const users = FIDS.flatMap((fid) => plainUser(fid, page) ?? []);
      for (const dialect of ['neutral', 'ecosystem', 'neutral'] as const) {
        expectView(BulkUsersResponse, dialect, viewUsers(FIDS, { ...page, dialect }), { users });
      }
    }),
    { numRuns: rounds(100) },
  );
});

test('lists of users contain a cursor, and a single user that cannot be shown is an error', () => {
  fc.assert(
    fc.property(arbitraryPage, fc.constantFrom(null, 'a"b'), (page, cursor) => {
      const users = FIDS.flatMap((fid) => plainUser(fid, page) ?? []);
      const list = { users, next: { cursor } };
      expectView(UsersResponse, page.dialect, viewUserList(FIDS, page, cursor), list);
      expectView(UserSearchResponse, page.dialect, viewUserSearch(FIDS, page, cursor), { result: list });
      const user = plainUser(1, page);
      if (user === undefined) expect(() => viewUserResponse(1, page)).toThrow('user 1 cannot be shown');
      else expectView(UserResponse, page.dialect, viewUserResponse(1, page), { user });
    }),
    { numRuns: rounds(100) },
  );
});
