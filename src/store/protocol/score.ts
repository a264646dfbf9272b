import type { Database } from '../../db/database.js';
import { type Sql, sql } from '../../db/statement.js';
import { type Invalidation, insertChange, invalidationOf, lockIngest } from '../change.js';
import { profileOf } from '../tag.js';

/** The input of the score for one account, without its links. */
export interface ScoreAccountRow {
  readonly fid: number;
  /** Unix seconds of the registration, or of the first message if that is unknown. */
  readonly since: number;
  readonly verified: boolean;
  /** Unix seconds at which the pro subscription ends; 0: there never was one. */
  readonly pro_until: number;
  readonly score: number;
}

const ACCOUNTS_A_PAGE = 20_000;
const LINKS_A_PAGE = 20_000;

/** Pages are read in a transaction, which has its own connection, so that reads of the API do not wait behind them. */
const readPage = <Row>(db: Database, page: Sql<Row>, params: readonly (number | Buffer)[]): Promise<Row[]> =>
  db.transaction((session) => session.run(page, params));

const accountPage = sql<ScoreAccountRow>(
  'score_account_page',
  `select a.fid, a.score,
          coalesce(extract(epoch from a.registered_at), a.first_ts + 1609459200)::float8 as since,
          exists (select 1 from verification v where v.fid = a.fid) as verified,
          coalesce(extract(epoch from a.pro_expires_at), 0)::float8 as pro_until
     from account a
    where a.fid > $1 and (a.registered_at is not null or a.first_ts is not null)
    order by a.fid
    limit ${ACCOUNTS_A_PAGE}`,
);

/** @returns all existing accounts, by fid, in pages */
export async function* selectScoreAccounts(db: Database): AsyncGenerator<ScoreAccountRow[]> {
  let after = 0;
  for (;;) {
    const rows = await readPage(db, accountPage, [after]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.fid;
  }
}

/** Links in parallel arrays: `fids[i]` follows (type 1) or blocks (type 2) `targets[i]`. */
export interface ScoreLinks {
  readonly fids: number[];
  readonly targets: number[];
  readonly types: number[];
}

type LinkPage = ScoreLinks & { last_ts: number; last_hash: Buffer };

// Arrays instead of rows, because the driver takes ten times as long for a row as for a number.
const linkPage = sql<LinkPage>(
  'score_link_page',
  `select coalesce(array_agg(fid), '{}') as fids, coalesce(array_agg(target_fid), '{}') as targets,
          coalesce(array_agg(type), '{}') as types,
          (array_agg(ts))[count(*)] as last_ts, (array_agg(hash))[count(*)] as last_hash
     from (select target_fid, type, ts, hash, fid
             from link
            where (target_fid, type, ts, hash) > ($1::bigint, $2::smallint, $3::integer, $4::bytea)
            order by target_fid, type, ts, hash
            limit ${LINKS_A_PAGE}) l`,
);

/** @returns all follows and blocks, by target, in pages. */
export async function* selectScoreLinks(db: Database): AsyncGenerator<ScoreLinks> {
  let after: [number, number, number, Buffer] = [-1, 0, 0, Buffer.alloc(0)];
  for (;;) {
    const [page] = await readPage(db, linkPage, after);
    const last = (page?.fids.length ?? 0) - 1;
    if (page === undefined || last < 0) return;
    yield page;
    after = [page.targets[last] as number, page.types[last] as number, page.last_ts, page.last_hash];
  }
}

const updateScoresSql = sql(
  'update_scores',
  `update account a set score = s.score
     from unnest($1::bigint[], $2::real[]) as s(fid, score)
    where a.fid = s.fid`,
);

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
    await session.run(updateScoresSql, [fids, rows.map((row) => row.score)]);
    await insertChange(session, invalidation);
  });
  return invalidation;
};
