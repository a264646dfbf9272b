import type { Hydration } from '../hydrate/hydrate.js';
import { writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { userName, writeUserOf } from './user.js';

/** `at` in Unix microseconds. */
interface Ban {
  readonly fid: number;
  readonly at: number;
}

const END = Buffer.from('}');

const nameOf = ({ fid }: Ban): string => `ban of ${userName(fid)}`;

/** @returns `BanListResponse` */
export const viewBans = (bans: readonly Ban[], cursor: string | null, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text(`{"next":{"cursor":${JSON.stringify(cursor)}},"bans":[`);
  writeItems(json, bans, page, nameOf, ({ fid, at }) => {
    json.text(`{"object":"ban","banned_at":"${new Date(at / 1000).toISOString()}","banned":`);
    if (!writeUserOf(json, fid, page)) return false;
    json.bytes(END);
    return true;
  });
  json.text(']}');
  return new Rendered(json.finish());
};
