import { availableParallelism } from 'node:os';
import { importBuilt } from './build-import.js';
import { answerParent } from './child.js';
import { openNetwork } from './network.js';
import { PHASES } from './network-plan.js';
import { measureCopy } from './row-copy.js';
import { measureInsert } from './row-insert.js';
import type { RowRate } from './row-table.js';
import type { Target } from './target.js';

/** What bounds an ingest, measured in a process of its own after it: checking signatures, and writing rows. */
export interface LimitInput {
  readonly scale: number;
  readonly environment: Target['environment'];
  /** postgres:// address of the loaded database; undefined: embedded. */
  readonly url: string | undefined;
  /** Time for each of the three figures. */
  readonly mostSeconds: number;
}

export interface LimitAnswer {
  readonly threads: number;
  /** Messages a second that are decoded, hashed and verified with a thread on every core, and nothing else. */
  readonly verified: number;
  /** Rows of `message` a second into a table without and with the indexes of `message`. */
  readonly rows: RowRate;
}

const BATCH = 5_000;
/** Messages to verify, in the proportions of the network. */
const SAMPLE = 100_000;

async function measureVerification(scale: number, threads: number, mostSeconds: number): Promise<number> {
  const { createVerifyPool } =
    await importBuilt<typeof import('../src/protocol/verify/pool.js')>('protocol/verify-pool.js');
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
  // Threads that have just started compile what they run.
  for (const wires of batches.slice(0, threads)) await pool.verify(wires);
  const started = performance.now();
  let done = 0;
  let next = 0;
  const isOver = (): boolean => performance.now() - started > 1000 * mostSeconds;
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
}

answerParent<LimitInput, LimitAnswer>(async ({ scale, environment, url, mostSeconds }) => {
  const threads = availableParallelism();
  const verified = await measureVerification(scale, threads, Math.min(10, mostSeconds));
  const rows = url === undefined ? await measureInsert(environment, mostSeconds) : await measureCopy(url, mostSeconds);
  return { threads, verified, rows };
});
