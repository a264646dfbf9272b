import type { Hydration } from '../hydrate/hydrate.js';
import { toIso } from '../protocol/time.js';
import { writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { userName, writeUserOf } from './user.js';
import { renderUserDehydrated } from './user-dehydrated.js';

/** A follow as lists show it; `ts` in protocol seconds, `app_fid` null where the app is not known. */
interface Follow {
  readonly fid: number;
  readonly ts: number;
  readonly app_fid: number | null;
}

const END = Buffer.from('}');

const nameOf = ({ fid }: { readonly fid: number }): string => userName(fid);

const writeFollowers = (json: JsonWriter, follows: readonly Omit<Follow, 'ts'>[], page: Hydration): number =>
  writeItems(json, follows, page, nameOf, ({ fid, app_fid }) => {
    json.text('{"object":"follower","user":');
    if (!writeUserOf(json, fid, page)) return false;
    if (app_fid !== null) {
      json.text(',"app":');
      json.bytes(renderUserDehydrated(app_fid, page.accounts.get(app_fid)));
    }
    json.bytes(END);
    return true;
  });

/** @returns how a list that has pages begins: `next`, then `users` left open. */
const openList = (cursor: string | null): string => `{"next":{"cursor":${JSON.stringify(cursor)}},"users":[`;

/** @returns `FollowersResponse` */
export const viewFollowers = (follows: readonly Follow[], page: Hydration, cursor: string | null): Rendered => {
  const json = new JsonWriter();
  json.text(openList(cursor));
  writeFollowers(json, follows, page);
  json.text(']}');
  return new Rendered(json.finish());
};

/** @returns `ReciprocalFollowersResponse` */
export const viewReciprocalFollowers = (
  follows: readonly Follow[],
  page: Hydration,
  cursor: string | null,
): Rendered => {
  const json = new JsonWriter();
  json.text(openList(cursor));
  writeItems(json, follows, page, nameOf, ({ fid, ts }) => {
    json.text(`{"object":"reciprocal_follower","timestamp":"${toIso(ts)}","user":`);
    if (!writeUserOf(json, fid, page)) return false;
    json.bytes(END);
    return true;
  });
  json.text(']}');
  return new Rendered(json.finish());
};

/**
 * @param top shown in full, from `page`
 * @param all shown as faces, from `faces`
 * @returns `RelevantFollowersResponse`
 */
export const viewRelevantFollowers = (
  top: readonly Omit<Follow, 'ts'>[],
  page: Hydration,
  all: readonly { readonly fid: number }[],
  faces: Hydration,
): Rendered => {
  const json = new JsonWriter();
  json.text('{"top_relevant_followers_hydrated":[');
  writeFollowers(json, top, page);
  json.text('],"all_relevant_followers_dehydrated":[');
  writeItems(json, all, faces, nameOf, ({ fid }) => {
    json.text('{"object":"follower_dehydrated","user":');
    json.bytes(renderUserDehydrated(fid, faces.accounts.get(fid)));
    json.bytes(END);
    return true;
  });
  json.text(']}');
  return new Rendered(json.finish());
};
