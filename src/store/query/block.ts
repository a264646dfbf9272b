import type { Reader } from '../../db/statement.js';
import { LATEST_TIME } from '../../protocol/time.js';
import { ABOVE_ALL_HASHES } from '../hash-order.js';
import { type RowOf, readQuery } from '../query-function.js';

/** A block by the account `fid`; `ts` in protocol seconds, `hash` of the message, hex without 0x. */
export type BlockedRow = RowOf<'block_by_blocker'>;

/** Blocks by one account, of one account, or both; at least one is defined. */
export interface BlockFilter {
  readonly blocker: number | undefined;
  readonly blocked: number | undefined;
}

/** Position of a block in the list: newest first, then by hash, both descending. */
export type BlockCursor = Pick<BlockedRow, 'ts' | 'hash'>;

/** @param shown column of the fid that the list shows; accounts that the app banned are left out */
const blocks = <Of extends 'block_by_blocker' | 'block_by_blocked' | 'block_by_both'>(
  name: Of,
  where: string,
  shown: string,
) =>
  readQuery(
    name,
    `select b.fid, b.blocked_fid as "blockedFid", b.ts, encode(b.hash, 'hex') as "hash!"
       from block b
      where ${where} and (b.ts, b.hash) < (:ts::integer, :hash::bytea)
        and not exists (select from ban where ban.fid = ${shown} and ban.app_id = :appId::uuid)
      order by b.ts desc, b.hash desc
      limit :limit`,
  ).rows();

const byBlocker = blocks('block_by_blocker', 'b.fid = :blocker', 'b.blocked_fid');
const byBlocked = blocks('block_by_blocked', 'b.blocked_fid = :blocked', 'b.fid');
const byBoth = blocks('block_by_both', 'b.fid = :blocker and b.blocked_fid = :blocked', 'b.blocked_fid');

/** @param after the last block of the previous page; undefined: the first page */
export const selectBlocks = (
  db: Reader,
  { blocker, blocked }: BlockFilter,
  { appId, after, limit }: { readonly appId: string; readonly after: BlockCursor | undefined; readonly limit: number },
): Promise<BlockedRow[]> => {
  const hash = after ? Buffer.from(after.hash, 'hex') : ABOVE_ALL_HASHES;
  const page = { ts: after?.ts ?? LATEST_TIME, hash, limit, appId };
  if (blocker === undefined) return byBlocked(db, { ...page, blocked: blocked as number });
  if (blocked === undefined) return byBlocker(db, { ...page, blocker });
  return byBoth(db, { ...page, blocker, blocked });
};
