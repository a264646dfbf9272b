import type { Hydration } from '../hydrate/hydrate.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { writeUser } from './user.js';

/** `at` in Unix microseconds. */
interface Mute {
  readonly fid: number;
  readonly at: number;
}

const END = Buffer.from('}');

/** @returns `MuteListResponse` of those who are in the page. */
export const viewMutes = (mutes: readonly Mute[], cursor: string | null, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text(`{"next":{"cursor":${JSON.stringify(cursor)}},"mutes":[`);
  let some = false;
  for (const { fid, at } of mutes) {
    const account = page.accounts.get(fid);
    if (account === undefined) continue;
    json.text(`${some ? ',' : ''}{"object":"mute","muted_at":"${new Date(at / 1000).toISOString()}","muted":`);
    some = true;
    writeUser(json, account, page);
    json.bytes(END);
  }
  json.text(']}');
  return new Rendered(json.finish());
};
