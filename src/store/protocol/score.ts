import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { type Invalidation, insertChange, invalidationOf, lockIngest } from '../change.js';
import { type ParamsOf, type RowOf, writeQuery } from '../query-function.js';
import { profileOf } from '../tag.js';

/**
 * The input of the score for one account, without its links. `since` is in Unix seconds: of the registration, or of the
 * first message if that is unknown. So is `proUntil`, the end of the pro subscription; 0: there never was one.
 */
export type ScoreAccountRow = RowOf<'score_account_page'>;

const ACCOUNTS_A_PAGE = 20_000;
const LINKS_A_PAGE = 20_000;

/** Pages are read in a transaction, which has its own connection, so that reads of the API do not wait behind them. */
const readPage = <Params, Row>(
  db: Database,
  page: (session: Session, params: Params) => Promise<Row[]>,
  params: Params,
): Promise<Row[]> => db.transaction((session) => page(session, params));

const accountPage = writeQuery(
  'score_account_page',
  `select a.fid, a.score,
          coalesce(extract(epoch from a.registered_at), a.first_ts + 1609459200)::float8 as "since!",
          exists (select 1 from verification v where v.fid = a.fid) as "verified!",
          coalesce(extract(epoch from a.pro_expires_at), 0)::float8 as "proUntil!"
     from account a
    where a.fid > :after and (a.registered_at is not null or a.first_ts is not null)
    order by a.fid
    limit ${ACCOUNTS_A_PAGE}`,
).rows();

/** @returns all existing accounts, by fid, in pages */
export async function* selectScoreAccounts(db: Database): AsyncGenerator<ScoreAccountRow[]> {
  let after = 0;
  for (;;) {
    const rows = await readPage(db, accountPage, { after });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.fid;
  }
}

/** Links in parallel arrays: `fids[i]` follows (type 1) or blocks (type 2) `targets[i]`. */
export interface ScoreLinks {
  readonly fids: readonly number[];
  readonly targets: readonly number[];
  readonly types: readonly number[];
}

// Arrays instead of rows, because the driver takes ten times as long for a row as for a number.
const linkPage = writeQuery(
  'score_link_page',
  `select coalesce(array_agg(fid), '{}') as "fids!", coalesce(array_agg(target_fid), '{}') as "targets!",
          coalesce(array_agg(type), '{}') as "types!",
          (array_agg(ts))[count(*)] as "lastTs!", (array_agg(hash))[count(*)] as "lastHash!"
     from (select target_fid, type, ts, hash, fid
             from link
            where (target_fid, type, ts, hash) > (:targetFid::bigint, :type::smallint, :ts::integer, :hash::bytea)
            order by target_fid, type, ts, hash
            limit ${LINKS_A_PAGE}) l`,
).rows();

/** @returns all follows and blocks, by target, in pages. */
export async function* selectScoreLinks(db: Database): AsyncGenerator<ScoreLinks> {
  let after: ParamsOf<'score_link_page'> = { targetFid: -1, type: 0, ts: 0, hash: Buffer.alloc(0) };
  for (;;) {
    const [page] = await readPage(db, linkPage, after);
    const last = (page?.fids.length ?? 0) - 1;
    if (page === undefined || last < 0) return;
    yield page;
    after = {
      targetFid: page.targets[last] as number,
      type: page.types[last] as number,
      ts: page.lastTs,
      hash: page.lastHash,
    };
  }
}

const writeScores = writeQuery(
  'update_scores',
  `update account a set score = s.score
     from unnest(:fids::bigint[], :scores::real[]) as s(fid, score)
    where a.fid = s.fid`,
).done();

/**
 * Writes scores of accounts, with the change row that invalidates caches of other processes.
 * @returns the invalidation for the caches of this process
 */
export const updateScores = async (
  db: Database,
  rows: readonly { readonly fid: number; readonly score: number }[],
): Promise<Invalidation> => {
  const fids = rows.map((row) => row.fid);
  const invalidation = invalidationOf(fids.map(profileOf));
  await db.transaction(async (session) => {
    // Ingest updates the same rows in another order; two transactions that wait for each other would deadlock.
    await lockIngest(session);
    await writeScores(session, { fids, scores: rows.map((row) => row.score) });
    await insertChange(session, invalidation);
  });
  return invalidation;
};
