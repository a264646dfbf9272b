import type { Hydration } from '../hydrate/hydrate.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { writeUser } from './user.js';

/** `at` in Unix microseconds. */
interface Ban {
  readonly fid: number;
  readonly at: number;
}

const END = Buffer.from('}');

/** @returns `BanListResponse`; a ban of a fid that is no account has no user. */
export const viewBans = (bans: readonly Ban[], cursor: string | null, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text(`{"next":{"cursor":${JSON.stringify(cursor)}},"bans":[`);
  for (const [index, { fid, at }] of bans.entries()) {
    json.text(`${index > 0 ? ',' : ''}{"object":"ban","banned_at":"${new Date(at / 1000).toISOString()}"`);
    const account = page.accounts.get(fid);
    if (account !== undefined) {
      json.text(',"banned":');
      writeUser(json, account, page);
    }
    json.bytes(END);
  }
  json.text(']}');
  return new Rendered(json.finish());
};
