import type { Database } from '../src/db/database.js';
import { createRandom } from '../src/sample/random.js';
import type { BackgroundWriteInput, WriteCount, WriteOrder } from './background-write.js';
import { type Child, startChild } from './child.js';
import type { LoadFigure, Measure } from './measurement.js';
import { selectPopular } from './sample.js';
import { startService } from './service.js';
import { type Target, withDatabase } from './target.js';

/** Messages a second: 70 % likes, 20 % follows, 10 % casts. */
export const WRITES_PER_SECOND = 150;
/** Number of accounts and casts that the messages are drawn from. */
const SAMPLE_SIZE = 5_000;

/** Writes messages through another service on the same database; the measured one learns of them from the database. */
export interface BackgroundWriter {
  /**
   * @param lead runs first, so that the caches are in the state that they have under writes; @returns the result with
   *   writes
   */
  during(lead: Measure, measure: Measure): Promise<LoadFigure>;
  /** As of a `Service`. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** @returns authors, and what their messages are about */
export const selectMaterial = async (db: Database): Promise<Pick<WriteOrder, 'authors' | 'followed' | 'casts'>> => {
  const draw = (kind: 'account' | 'cast') => selectPopular(db, kind, createRandom('bench-write', kind), SAMPLE_SIZE);
  const [accounts, hashes] = [await draw('account'), await draw('cast')];
  const known = await db.run<{ hash: string; fid: number }>(
    `select encode(hash, 'hex') as hash, fid from "cast" where encode(hash, 'hex') = any($1)`,
    [[...new Set(hashes)]],
  );
  // Drawn by past activity: an author drawn by popularity would be in most feeds of such a small network.
  const authors = await db.run<{ fid: number }>('select fid from "cast" order by md5(hash) limit $1', [SAMPLE_SIZE]);
  const fids = new Map(known.map(({ hash, fid }) => [hash, fid]));
  return {
    authors: authors.map(({ fid }) => fid),
    followed: accounts.map(Number),
    casts: hashes.map((hash) => ({ fid: fids.get(hash) as number, hash: Uint8Array.from(Buffer.from(hash, 'hex')) })),
  };
};

/**
 * @param checkout whose build receives the messages; @throws for the embedded database, which allows only one process
 */
export const startBackgroundWriter = async (
  { kind, environment }: Pick<Target, 'kind' | 'environment'>,
  checkout?: string,
): Promise<BackgroundWriter> => {
  if (kind !== 'postgres') throw new Error('two services run on a PostgreSQL server alone');
  const material = await withDatabase(environment, selectMaterial);
  const service = await startService(environment, [], 'serve', checkout);
  const child: Child<BackgroundWriteInput, WriteCount> = startChild('background-write.ts');
  const { port, apiKey } = service;
  await child.ask({ port, apiKey, perSecond: WRITES_PER_SECOND, ...material });
  return {
    during: async (lead, measure) => {
      await child.ask('start');
      await lead();
      const figure = await measure();
      const { stored, refused, seconds } = await child.ask('stop');
      if (stored === 0) throw new Error(`no message was stored under the reads, ${refused} were refused`);
      return { ...figure, writes: stored / seconds };
    },
    pause: service.pause,
    resume: service.resume,
    stop: async () => {
      await child.stop();
      await service.stop();
    },
  };
};
