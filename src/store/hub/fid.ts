import type { Session } from '../../db/statement.js';
import { readQuery } from '../query-function.js';

export interface FidPage {
  /** The last fid of the previous page; undefined: the first page. */
  readonly after: number | undefined;
  /** Highest first. */
  readonly reverse: boolean;
  readonly limit: number;
}

const forward = readQuery('hub_fid', 'select fid from account where fid > :after order by fid limit :limit').column(
  'fid',
);
const backward = readQuery(
  'hub_fid_reverse',
  'select fid from account where fid < :after and fid > 0 order by fid desc limit :limit',
).column('fid');

/** @returns fids that are registered or have messages */
export const selectFids = (session: Session, { after, reverse, limit }: FidPage): Promise<number[]> =>
  reverse
    ? backward(session, { after: after ?? Number.MAX_SAFE_INTEGER, limit })
    : forward(session, { after: after ?? 0, limit });
