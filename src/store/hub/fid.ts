import { type Session, statement } from '../../db/statement.js';

export interface FidPage {
  /** The last fid of the previous page; undefined: the first page. */
  readonly after: number | undefined;
  /** Highest first. */
  readonly reverse: boolean;
  readonly limit: number;
}

type Row = { readonly fid: number };

const forward = statement<Row>('hub_fid', 'select fid from account where fid > $1 order by fid limit $2');
const backward = statement<Row>(
  'hub_fid_reverse',
  'select fid from account where fid < $1 and fid > 0 order by fid desc limit $2',
);

/** @returns fids that are registered or have messages */
export const selectFids = async (session: Session, { after, reverse, limit }: FidPage): Promise<number[]> => {
  const rows = reverse
    ? await session.read(backward, [after ?? Number.MAX_SAFE_INTEGER, limit])
    : await session.read(forward, [after ?? 0, limit]);
  return rows.map((row) => row.fid);
};
