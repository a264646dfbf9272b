import type { Session } from '../../db/statement.js';
import { readQuery } from '../query-function.js';

export interface FidPage {
  /** The last fid of the previous page; undefined: the first page. */
  readonly after: number | undefined;
  /** Highest first. */
  readonly reverse: boolean;
  readonly limit: number;
}

type Row = { readonly fid: number };

const selectForward = readQuery<Row>('hub_fid', 'select fid from account where fid > $1 order by fid limit $2').column(
  'fid',
  (after: number, limit: number) => [after, limit],
);
const selectBackward = readQuery<Row>(
  'hub_fid_reverse',
  'select fid from account where fid < $1 and fid > 0 order by fid desc limit $2',
).column('fid', (after: number, limit: number) => [after, limit]);

/** @returns fids that are registered or have messages */
export const selectFids = (session: Session, { after, reverse, limit }: FidPage): Promise<number[]> =>
  reverse
    ? selectBackward(session, after ?? Number.MAX_SAFE_INTEGER, limit)
    : selectForward(session, after ?? 0, limit);
