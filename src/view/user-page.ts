import type { Hydration } from '../hydrate/hydrate.js';
import { requireWritten, writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { userName, writeUserOf } from './user.js';

/** Writes the users among these fids that exist, in this order, with commas between. @returns how many */
export const writeUsers = (json: JsonWriter, fids: readonly number[], page: Hydration): number =>
  writeItems(json, fids, page, userName, (fid) => writeUserOf(json, fid, page));

/** @returns `UserResponse`. @throws Error when the account is not in the page, or cannot be rendered */
export const viewUser = (fid: number, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"user":');
  requireWritten(writeUsers(json, [fid], page), userName(fid));
  json.text('}');
  return new Rendered(json.finish());
};

/** @returns `BulkUsersResponse`, in the order of `fids`; those that do not exist are left out. */
export const viewUsers = (fids: readonly number[], page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"users":[');
  writeUsers(json, fids, page);
  json.text(']}');
  return new Rendered(json.finish());
};

/** @returns `BulkUsersByAddressResponse`, its keys in the order of the map. */
export const viewUsersByAddress = (
  fidsByAddress: ReadonlyMap<string, readonly number[]>,
  page: Hydration,
): Rendered => {
  const json = new JsonWriter();
  json.text('{');
  let some = false;
  for (const [address, fids] of fidsByAddress) {
    json.text(`${some ? ',' : ''}${JSON.stringify(address)}:[`);
    some = true;
    writeUsers(json, fids, page);
    json.text(']');
  }
  json.text('}');
  return new Rendered(json.finish());
};

const writeUserList = (json: JsonWriter, fids: readonly number[], page: Hydration, cursor: string | null): void => {
  json.text(`{"next":{"cursor":${JSON.stringify(cursor)}},"users":[`);
  writeUsers(json, fids, page);
  json.text(']}');
};

/** @returns `UsersResponse`, in the order of `fids`. @param cursor of the next page; null: there is none */
export const viewUserList = (fids: readonly number[], page: Hydration, cursor: string | null): Rendered => {
  const json = new JsonWriter();
  writeUserList(json, fids, page, cursor);
  return new Rendered(json.finish());
};

/** @returns `UserSearchResponse`, which is the same below `result`. */
export const viewUserSearch = (fids: readonly number[], page: Hydration, cursor: string | null): Rendered => {
  const json = new JsonWriter();
  json.text('{"result":');
  writeUserList(json, fids, page, cursor);
  json.text('}');
  return new Rendered(json.finish());
};
