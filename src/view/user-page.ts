import type { Page } from '../hydrate/page.js';
import { requireItem, viewItems } from './items.js';
import { quote, toBytes, viewNext } from './json.js';
import { userName, viewUserOf } from './user.js';

export const viewUserItems = (fids: readonly number[], page: Page): string[] =>
  viewItems(fids, page, userName, (fid) => viewUserOf(fid, page));

/** @returns `UserResponse`. @throws Error if the account is not in the page, or cannot be rendered */
export const viewUserResponse = (fid: number, page: Page): Buffer =>
  toBytes('{"user":', [requireItem(viewUserItems([fid], page), userName(fid))], '}');

/** @returns `BulkUsersResponse`, in the order of `fids`; accounts that do not exist are left out */
export const viewUsers = (fids: readonly number[], page: Page): Buffer =>
  toBytes('{"users":[', viewUserItems(fids, page), ']}');

/** @returns `BulkUsersByAddressResponse`, with keys in the order of the map */
export const viewUsersByAddress = (fidsByAddress: ReadonlyMap<string, readonly number[]>, page: Page): Buffer => {
  const members = [...fidsByAddress].map(
    ([address, fids]) => `${quote(address)}:[${viewUserItems(fids, page).join()}]`,
  );
  return toBytes('{', members, '}');
};

/** @returns `UsersResponse`, in the order of `fids`. @param cursor of the next page; null on the last one */
export const viewUserList = (fids: readonly number[], page: Page, cursor: string | null): Buffer =>
  toBytes(`{${viewNext(cursor)},"users":[`, viewUserItems(fids, page), ']}');

/** @returns `UserSearchResponse` */
export const viewUserSearch = (fids: readonly number[], page: Page, cursor: string | null): Buffer =>
  toBytes(`{"result":{${viewNext(cursor)},"users":[`, viewUserItems(fids, page), ']}}');
