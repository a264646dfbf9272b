import type { Database } from '../../db/database.js';
import { type RowOf, selectQuery } from '../query-function.js';

const CASTS_A_PAGE = 2000;

/** A cast whose words are counted; `ts` in protocol seconds, `hash` as hex without 0x. */
export type CountedCastRow = RowOf<'topic_cast_page'>;

const castPage = selectQuery(
  'topic_cast_page',
  `select c.fid, c.ts, encode(c.hash, 'hex') as "hash!", c.text
     from "cast" c
    where (c.ts, c.hash) > (:ts::integer, :hash::bytea) and c.ts <= :until::integer and c.text <> ''
      and (not :isTrusted::boolean or exists (select from account a where a.fid = c.fid and a.score >= :score::real))
    order by c.ts, c.hash
    limit ${CASTS_A_PAGE}`,
).rows();

const anyTrusted = selectQuery(
  'topic_any_trusted',
  'select exists (select from account where score >= :score::real) as "exists!"',
).valueOr('exists', false);

/**
 * Reads casts with a text in order of time. Pages are read in transactions, which have their own connections, so that
 * reads of the API do not wait behind them.
 * @param period protocol seconds: after `from`, until `until` inclusive
 * @param score that authors need, unless nobody has it
 */
export async function* selectCountedCasts(
  db: Database,
  period: { readonly from: number; readonly until: number },
  score: number,
): AsyncGenerator<CountedCastRow[]> {
  const isTrusted = await db.transaction((session) => anyTrusted(session, { score }));
  // Longer than all hashes: the first page begins after every cast of its second.
  let after = { ts: period.from, hash: Buffer.alloc(21, 0xff) };
  for (;;) {
    const page = { ...after, until: period.until, isTrusted, score };
    const rows = await db.transaction((session) => castPage(session, page));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = { ts: last.ts, hash: Buffer.from(last.hash, 'hex') };
  }
}
