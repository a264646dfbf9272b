import { type Reader, type Statement, statement } from '../../db/statement.js';

export interface BlockedRow {
  /** The blocking account. */
  readonly fid: number;
  readonly blocked_fid: number;
  /** Protocol seconds. */
  readonly ts: number;
  /** Hash of the message, hex without 0x. */
  readonly hash: string;
}

/** Blocks by one account, of one account, or both; at least one is defined. */
export interface BlockFilter {
  readonly blocker: number | undefined;
  readonly blocked: number | undefined;
}

/** Position of a block in the list: newest first, then by hash, both descending. */
export type BlockCursor = Pick<BlockedRow, 'ts' | 'hash'>;

const LATEST = 2_147_483_647;
const ABOVE_ALL_HASHES = Buffer.alloc(21, 0xff);

/** @param shown column of the fid that the list shows; accounts that the app banned are left out */
const blocks = (name: string, where: string, shown: string): Statement<BlockedRow> =>
  statement(
    name,
    `select b.fid, b.blocked_fid, b.ts, encode(b.hash, 'hex') as hash
       from block b
      where ${where} and (b.ts, b.hash) < ($2::integer, $3::bytea)
        and not exists (select from ban where ban.fid = ${shown} and ban.app_id = $5::uuid)
      order by b.ts desc, b.hash desc
      limit $4`,
  );

const byBlocker = blocks('block_by_blocker', 'b.fid = $1', 'b.blocked_fid');
const byBlocked = blocks('block_by_blocked', 'b.blocked_fid = $1', 'b.fid');
const byBoth = blocks('block_by_both', 'b.fid = $1 and b.blocked_fid = $6', 'b.blocked_fid');

/** @param after the last block of the previous page; undefined: the first page */
export const selectBlocks = (
  db: Reader,
  { blocker, blocked }: BlockFilter,
  { appId, after, limit }: { readonly appId: string; readonly after: BlockCursor | undefined; readonly limit: number },
): Promise<BlockedRow[]> => {
  const place = [after?.ts ?? LATEST, after ? Buffer.from(after.hash, 'hex') : ABOVE_ALL_HASHES, limit, appId];
  if (blocker === undefined) return db.read(byBlocked, [blocked as number, ...place]);
  if (blocked === undefined) return db.read(byBlocker, [blocker, ...place]);
  return db.read(byBoth, [blocker, ...place, blocked]);
};
