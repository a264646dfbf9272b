import type { Hydration } from '../hydrate/hydrate.js';
import { toIso } from '../protocol/time.js';
import { writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { userName, writeUserOf } from './user.js';

/** `ts` in protocol seconds. */
interface Block {
  /** Who blocks. */
  readonly fid: number;
  readonly blocked_fid: number;
  readonly ts: number;
}

const nameOf = ({ fid, blocked_fid }: Block): string => `block of ${userName(blocked_fid)} by ${userName(fid)}`;

/** @returns `BlockListResponse` */
export const viewBlocks = (blocks: readonly Block[], cursor: string | null, page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text(`{"next":{"cursor":${JSON.stringify(cursor)}},"blocks":[`);
  writeItems(json, blocks, page, nameOf, ({ fid, blocked_fid, ts }) => {
    json.text(`{"object":"block","blocked_at":"${toIso(ts)}","blocker":`);
    if (!writeUserOf(json, fid, page)) return false;
    json.text(',"blocked":');
    if (!writeUserOf(json, blocked_fid, page)) return false;
    json.text('}');
    return true;
  });
  json.text(']}');
  return new Rendered(json.finish());
};
