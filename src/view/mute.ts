import type { Hydration } from '../hydrate/hydrate.js';
import { writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { userName, writeUserOf } from './user.js';

/** `at` in Unix microseconds. */
interface Mute {
  readonly fid: number;
  readonly at: number;
}

const END = Buffer.from('}');

const nameOf = ({ fid }: Mute): string => `mute of ${userName(fid)}`;

/** @returns `MuteListResponse` */
export const viewMutes = (mutes: readonly Mute[], cursor: string | null, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text(`{"next":{"cursor":${JSON.stringify(cursor)}},"mutes":[`);
  writeItems(json, mutes, page, nameOf, ({ fid, at }) => {
    json.text(`{"object":"mute","muted_at":"${new Date(at / 1000).toISOString()}","muted":`);
    if (!writeUserOf(json, fid, page)) return false;
    json.bytes(END);
    return true;
  });
  json.text(']}');
  return new Rendered(json.finish());
};
