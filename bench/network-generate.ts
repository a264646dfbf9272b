import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createCastTable } from './network-cast-table.js';
import { openOrdered } from './network-file.js';
import { type Chunk, chunks, type NetworkSize, PHASES, type Phase, planNetwork } from './network-plan.js';
import type { SignedChunk, WorkerStart } from './network-worker.js';

export interface GenerateOptions {
  readonly size: NetworkSize;
  /** An empty folder, for one file per phase. */
  readonly folder: string;
  readonly threads: number;
  /** Called with the number of items, which is an estimate because profiles differ. */
  onStart(total: number): void;
  /** Called for each chunk with its items and the items per second so far. */
  onProgress(count: number, rate: number): void;
}

export interface Generated {
  readonly size: NetworkSize;
  readonly counts: Record<Phase, number>;
  readonly bytes: Record<Phase, number>;
}

/** Average number of items of an account's registration and profile. */
const ITEMS_PER_ACCOUNT = 7.9;

/**
 * Signs a network in worker threads and writes it phase by phase.
 * The bytes do not depend on the number of threads: each chunk has its own random stream and its place in the file.
 */
export const generate = async (options: GenerateOptions): Promise<Generated> => {
  const { size, folder, threads } = options;
  const plan = planNetwork(size);
  const start: WorkerStart = { size, casts: createCastTable(size.casts) };
  const pool = Array.from({ length: threads }, () => startThread(start));
  const started = performance.now();
  let done = 0;
  const onCount = (count: number): void => {
    done += count;
    options.onProgress(count, done / ((performance.now() - started) / 1000));
  };
  const counts: Partial<Record<Phase, number>> = {};
  const bytes: Partial<Record<Phase, number>> = {};
  options.onStart(Math.round(size.accounts * ITEMS_PER_ACCOUNT) + size.casts + size.reactions + size.links);
  try {
    for (const phase of PHASES) {
      const written = await signPhase(pool, join(folder, `${phase}.bin`), chunks(plan, phase), onCount);
      counts[phase] = written.count;
      bytes[phase] = written.bytes;
    }
  } finally {
    for (const thread of pool) thread.removeAllListeners();
    await Promise.all(pool.map((thread) => thread.terminate()));
  }
  return { size, counts: counts as Generated['counts'], bytes: bytes as Generated['bytes'] };
};

const signPhase = async (
  pool: readonly Worker[],
  path: string,
  work: readonly Chunk[],
  onCount: (count: number) => void,
): Promise<{ count: number; bytes: number }> => {
  const file = await openOrdered(path);
  let next = 0;
  let count = 0;
  const serve = async (thread: Worker): Promise<void> => {
    for (let place = next++; place < work.length; place = next++) {
      const answer = await sign(thread, work[place] as Chunk);
      await file.put(place, answer.bytes);
      count += answer.count;
      onCount(answer.count);
    }
  };
  await Promise.all(pool.map(serve));
  return { count, bytes: await file.close() };
};

const sign = (thread: Worker, chunk: Chunk): Promise<SignedChunk> =>
  new Promise((done, fail) => {
    thread.removeAllListeners();
    thread.once('message', done);
    thread.once('error', fail);
    thread.once('exit', (code) => fail(new Error(`a signing thread ended with code ${code}`)));
    thread.postMessage(chunk);
  });

/** A worker thread of Node 20 does not inherit module hooks, so it registers tsx itself. */
const startThread = (start: WorkerStart): Worker => {
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const entry = JSON.stringify(new URL('./network-worker.ts', import.meta.url).href);
  const code = `import(${tsx}).then(({ register }) => { register(); return import(${entry}); });`;
  return new Worker(code, { eval: true, workerData: start });
};
