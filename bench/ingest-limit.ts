import { availableParallelism } from 'node:os';
import { importBuilt } from './build-import.js';
import { handleParentMessages } from './child.js';
import { openNetwork } from './network.js';
import { PHASES } from './network-plan.js';
import { measureCopy } from './row-copy.js';
import { measureInsert } from './row-insert.js';
import type { RowRate } from './row-table.js';
import type { Target } from './target.js';

/** The limits of an ingest, measured after it in a separate process: verifying signatures, and writing rows. */
export interface LimitInput {
  readonly scale: number;
  readonly environment: Target['environment'];
  /** postgres:// address of the loaded database; undefined: embedded. */
  readonly url: string | undefined;
  /** Time for each of the three measurements. */
  readonly maxSeconds: number;
}

export interface LimitResult {
  readonly threads: number;
  /** Messages a second that are decoded, hashed and verified with a thread on every core. */
  readonly verified: number;
  /** Rows of `message` a second into a table without and with the indexes of `message`. */
  readonly rows: RowRate;
}

const BATCH = 5_000;
/** Messages to verify, in the network's proportions. */
const SAMPLE = 100_000;

const measureVerification = async (scale: number, threads: number, maxSeconds: number): Promise<number> => {
  const { createVerifyPool } =
    await importBuilt<typeof import('../src/protocol/verify/pool.js')>('protocol/verify/pool.js');
  const network = await openNetwork({ scale });
  const batches: Uint8Array[][] = [];
  const share = Math.min(1, SAMPLE / network.total);
  for (const phase of PHASES) {
    let wanted = Math.ceil(network.counts[phase] * share);
    for await (const items of network.batches(BATCH, [phase])) {
      const wires = items.slice(0, wanted).flatMap((item) => (item.kind === 'message' ? [item.wire] : []));
      if (wires.length > 0) batches.push(wires);
      wanted -= items.length;
      if (wanted <= 0) break;
    }
  }
  const pool = createVerifyPool({ threads });
  // Warms up the threads, which compile their code first.
  for (const wires of batches.slice(0, threads)) await pool.verify(wires);
  const started = performance.now();
  let done = 0;
  let next = 0;
  const isOver = (): boolean => performance.now() - started > 1000 * maxSeconds;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const wires = batches[next++ % batches.length] as Uint8Array[];
      await pool.verify(wires);
      done += wires.length;
    }
  };
  await Promise.all([work(), work()]);
  const rate = done / ((performance.now() - started) / 1000);
  await pool.close();
  return rate;
};

handleParentMessages<LimitInput, LimitResult>(async ({ scale, environment, url, maxSeconds }) => {
  const threads = availableParallelism();
  const verified = await measureVerification(scale, threads, Math.min(10, maxSeconds));
  const rows = url === undefined ? await measureInsert(environment, maxSeconds) : await measureCopy(url, maxSeconds);
  return { threads, verified, rows };
});
