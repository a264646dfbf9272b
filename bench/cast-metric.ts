import type { Database } from '../src/db/database.js';
import { startChild } from './child.js';
import type { LoadInput, LoadResult } from './load.js';
import { startService } from './service.js';
import type { Row } from './table.js';
import { type Target, withDatabase } from './target.js';

const TARGET_MS = 300;

/** Words by how many casts of a sample of one in a hundred have them. */
const WORDS = `select word, ndoc from ts_stat('
  select to_tsvector(''simple'', text) from "cast" tablesample system (1) repeatable (1)') where word ~ '^[a-z]+$'`;

interface Kind {
  readonly name: string;
  /** SQL of the words, with the column word. */
  readonly words: string;
}

const FREQUENT: Kind = {
  name: 'the ten most frequent words',
  words: `select word from (${WORDS}) w order by ndoc desc limit 10`,
};

const KINDS: readonly Kind[] = [
  FREQUENT,
  { name: '200 rare words', words: `select word from (${WORDS}) w where ndoc <= 3 order by md5(word) limit 200` },
];

const selectPaths = async (db: Database, { words }: Kind): Promise<string[]> =>
  (await db.run<{ word: string }>(words)).map(
    ({ word }) => `/v2/social/cast/metrics/?interval=180d&q=${encodeURIComponent(word)}`,
  );

/** @returns requests that count the casts with one of the ten most frequent words: each reads a large part of all casts */
export const selectSlowPaths = (db: Database): Promise<string[]> => selectPaths(db, FREQUENT);

/**
 * Measures counts of casts over 180 days, one request after the other, because what counts is how long one takes; no
 * response is cached.
 */
export const measureCounts = async (parts: {
  readonly target: Pick<Target, 'kind' | 'environment'>;
  readonly seconds: number;
  readonly flags: readonly string[];
}): Promise<Row[]> => {
  const { target, seconds, flags } = parts;
  const paths = await withDatabase(target.environment, async (db) => {
    const all: string[][] = [];
    for (const kind of KINDS) all.push(await selectPaths(db, kind));
    return all;
  });
  const service = await startService(target.environment, flags);
  const generator = startChild<LoadInput, LoadResult>('load.ts');
  const rows: Row[] = [];
  try {
    for (const [index, { name }] of KINDS.entries()) {
      const { port, apiKey } = service;
      const input = { port, apiKey, paths: paths[index] as string[], connections: 1 };
      // Prepares the statement and loads the pages into the database's memory.
      await generator.ask({ ...input, times: 1, atMost: 20 });
      const { requests, seconds: took, p50, p99 } = await generator.ask({ ...input, seconds });
      const isTarget = target.kind === 'postgres';
      rows.push({
        what: `cast/metrics, 180d, ${name}`,
        measured: `${(requests / took).toFixed(1)} requests/s`,
        p50,
        p99,
        ...(isTarget ? { target: { text: `p99 <= ${TARGET_MS} ms`, isMet: p99 <= TARGET_MS } } : {}),
      });
    }
    return rows;
  } finally {
    await generator.stop();
    await service.stop();
  }
};
