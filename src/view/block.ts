import type { Page } from '../hydrate/page.js';
import { toIso } from '../protocol/time.js';
import { viewItems } from './items.js';
import { toBytes, viewNext } from './json.js';
import { userName, viewUserOf } from './user.js';

/** `ts` in protocol seconds. */
interface Block {
  /** The blocking account. */
  readonly fid: number;
  readonly blockedFid: number;
  readonly ts: number;
}

const nameOf = ({ fid, blockedFid }: Block): string => `block of ${userName(blockedFid)} by ${userName(fid)}`;

/** @returns `BlockListResponse` */
export const viewBlocks = (blocks: readonly Block[], cursor: string | null, page: Page): Buffer => {
  const items = viewItems(blocks, page, nameOf, ({ fid, blockedFid, ts }) => {
    const blocker = viewUserOf(fid, page);
    const blocked = viewUserOf(blockedFid, page);
    if (blocker === undefined || blocked === undefined) return undefined;
    return `{"object":"block","blocked_at":"${toIso(ts)}","blocker":${blocker},"blocked":${blocked}}`;
  });
  return toBytes(`{${viewNext(cursor)},"blocks":[`, items, ']}');
};
