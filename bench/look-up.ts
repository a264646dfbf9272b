import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Build } from './build-pair.js';
import { startChild } from './child.js';
import type { LoadOptions, Measure } from './measurement.js';
import type { RequestedOperation } from './sample.js';
import type { Service } from './service.js';
import { limitMeasure, type StatementLimit } from './statement-comparison.js';
import { type RecordedPage, writePages } from './statement-record.js';
import { type Target, withDatabase } from './target.js';

const TABLE = 'bench_look_up';
const CREATE = `drop table if exists ${TABLE}; create table ${TABLE} (hash bytea primary key, json text not null)`;
const LOOK_UP = `select json from ${TABLE} where hash = any((select $1::bytea[])::bytea[])`;
/** Different look-ups. */
const PAGES = 500;

/** A measurement of look-ups; `stop` ends the clients and removes the table. */
export interface LookUp {
  readonly measure: Measure;
  stop(): Promise<void>;
}

interface ShownCast {
  readonly hash: string;
}

const bytesOf = ({ hash }: ShownCast): Buffer => Buffer.from(hash.slice(2), 'hex');

/** @returns the casts of some pages, as the service answers them */
const readCasts = async ({ port, apiKey }: Service, paths: readonly string[]): Promise<ShownCast[][]> => {
  const pages: ShownCast[][] = [];
  for (const path of paths.slice(0, PAGES)) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': apiKey } });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    const { result } = (await response.json()) as { result: { casts: ShownCast[] } };
    pages.push(result.casts);
  }
  return pages;
};

const fillTable = ({ environment }: Target, casts: readonly ShownCast[]): Promise<void> =>
  withDatabase(environment, async (db) => {
    await db.script(CREATE);
    await db.run(`insert into ${TABLE} select * from unnest($1::bytea[], $2::text[])`, [
      casts.map(bytesOf),
      casts.map((cast) => JSON.stringify(cast)),
    ]);
    await db.script(`analyze ${TABLE}`);
  });

/**
 * The least that a page of 25 stored casts could take: one look-up of 25 JSON texts by primary key, sent by bare clients.
 * @param casts the operation whose pages of casts are looked up
 */
export const prepareLookUp = async (
  { connections, seconds }: LoadOptions,
  { target }: Build,
  service: Service,
  casts: RequestedOperation,
): Promise<LookUp> => {
  const pages = await readCasts(service, casts.requests.repeated);
  await fillTable(target, [...new Map(pages.flat().map((cast) => [cast.hash, cast])).values()]);
  const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
  const file = join(folder, 'look-up');
  await writePages(
    file,
    pages.map((page): RecordedPage => [[{ text: LOOK_UP, values: [page.map(bytesOf)] }]]),
  );
  const limit: StatementLimit = startChild('statement-limit.ts');
  return {
    measure: limitMeasure(limit, { url: target.url as string, file, connections, seconds }),
    stop: async () => {
      await limit.stop();
      await rm(folder, { recursive: true });
      await withDatabase(target.environment, (db) => db.script(`drop table ${TABLE}`));
    },
  };
};
