import type { Database } from '../../db/database.js';
import { sql } from '../../db/statement.js';

const CASTS_A_PAGE = 2000;

/** A cast whose words are counted. */
export interface CountedCastRow {
  readonly fid: number;
  /** Protocol seconds. */
  readonly ts: number;
  /** Hex without 0x. */
  readonly hash: string;
  readonly text: string;
}

const castPage = sql<CountedCastRow>(
  'topic_cast_page',
  `select c.fid, c.ts, encode(c.hash, 'hex') as hash, c.text
     from "cast" c
    where (c.ts, c.hash) > ($1::integer, $2::bytea) and c.ts <= $3::integer and c.text <> ''
      and (not $4::boolean or exists (select from account a where a.fid = c.fid and a.score >= $5::real))
    order by c.ts, c.hash
    limit ${CASTS_A_PAGE}`,
);

const anyTrusted = sql<{ exists: boolean }>(
  'topic_any_trusted',
  'select exists (select from account where score >= $1::real)',
);

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
  const [found] = await db.transaction((session) => session.select(anyTrusted, [score]));
  const isTrusted = found?.exists === true;
  // Longer than all hashes: the first page begins after every cast of its second.
  let after: [number, Buffer] = [period.from, Buffer.alloc(21, 0xff)];
  for (;;) {
    const params = [...after, period.until, isTrusted, score];
    const rows = await db.transaction((session) => session.select(castPage, params));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = [last.ts, Buffer.from(last.hash, 'hex')];
  }
}
