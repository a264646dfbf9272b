import type { Hydration } from '../hydrate/hydrate.js';
import { toIso } from '../protocol/time.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { writeUser } from './user.js';

/** `ts` in protocol seconds. */
interface Block {
  /** Who blocks. */
  readonly fid: number;
  readonly blocked_fid: number;
  readonly ts: number;
}

const writeMember = (json: JsonWriter, name: string, fid: number, page: Hydration): void => {
  const account = page.accounts.get(fid);
  if (account === undefined) return;
  json.text(`,"${name}":`);
  writeUser(json, account, page);
};

/** @returns `BlockListResponse`; a user that is not stored is left out of its block. */
export const viewBlocks = (blocks: readonly Block[], cursor: string | null, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text(`{"next":{"cursor":${JSON.stringify(cursor)}},"blocks":[`);
  for (const [index, { fid, blocked_fid, ts }] of blocks.entries()) {
    json.text(`${index > 0 ? ',' : ''}{"object":"block","blocked_at":"${toIso(ts)}"`);
    writeMember(json, 'blocker', fid, page);
    writeMember(json, 'blocked', blocked_fid, page);
    json.text('}');
  }
  json.text(']}');
  return new Rendered(json.finish());
};
