import type { IngestItem } from '../src/ingest/item.js';
import { importBuilt } from './build-import.js';
import { storeBenchChannels } from './channel.js';
import { handleParentMessages } from './child.js';
import { openNetwork } from './network.js';
import { PHASES, type Phase } from './network-plan.js';
import { markLoaded, type Target, withDatabase } from './target.js';

/** Loads a network through the pipeline, in a separate process. */
export interface IngestInput {
  readonly scale: number;
  readonly environment: Target['environment'];
  /** Nothing is submitted after this time. */
  readonly maxSeconds: number;
}

export interface IngestProgress {
  readonly phase: Phase;
  /** Items of the phase. */
  readonly done: number;
  readonly total: number;
  /** Items a second of this phase so far. */
  readonly rate: number;
}

export interface IngestResult {
  /** Stored signed messages; onchain events and name proofs are not counted, but their time is. */
  readonly messages: number;
  readonly seconds: number;
  readonly isWhole: boolean;
  /** Items that were not merged, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** Median in milliseconds of one transaction. */
  readonly batchP50: number;
  readonly batchP99: number;
  /** Processor time of the process with its verifying threads, without the database server's. */
  readonly cpuSeconds: number;
  /** Largest resident size of the process, in bytes. */
  readonly peakBytes: number;
}

const BATCH = 5_000;
/** Concurrent submits: one is committed while the next is verified. */
const UNDER_WAY = 2;

const { createCore, openMigratedDatabase } =
  await importBuilt<typeof import('../src/app/service-core.js')>('app/service-core.js');
const { loadStoreConfig } = await importBuilt<typeof import('../src/config/config.js')>('config/config.js');
const { createLog } = await importBuilt<typeof import('../src/log.js')>('log.js');
const { lockFolder } = await importBuilt<typeof import('../src/db/lock.js')>('db/lock.js');

/** Stored items of a phase, with times. */
class PhaseMeter {
  readonly #started = performance.now();
  readonly #report: (progress: IngestProgress) => void;
  readonly #phase: Phase;
  readonly #total: number;
  #done = 0;

  constructor(phase: Phase, total: number, report: (progress: IngestProgress) => void) {
    this.#phase = phase;
    this.#total = total;
    this.#report = report;
  }

  add(count: number): void {
    this.#done += count;
    const rate = this.#done / ((performance.now() - this.#started) / 1000);
    this.#report({ phase: this.#phase, done: this.#done, total: this.#total, rate });
  }
}

const load = async (
  { scale, environment, maxSeconds }: IngestInput,
  report: (progress: IngestProgress) => void,
): Promise<IngestResult> => {
  const network = await openNetwork({ scale });
  const config = loadStoreConfig({ ...environment, CASTELLAN_HUB_NETWORK: 'devnet' });
  const lock = 'dataDir' in config.database ? await lockFolder(config.database.dataDir) : undefined;
  const batches: number[] = [];
  const onBatch = ({ seconds }: { readonly seconds?: number }) => {
    if (seconds !== undefined) batches.push(1000 * seconds);
  };
  const core = createCore(await openMigratedDatabase(config), config, createLog('warn'), { onBatch });
  let messages = 0;
  let isWhole = true;
  const refused: Record<string, number> = {};
  const underWay = new Set<Promise<void>>();
  const submit = async (items: readonly IngestItem[], meter: PhaseMeter): Promise<void> => {
    const { outcomes } = await core.ingest.submit(items, { source: 'file', announce: false });
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'merged') messages += items[index]?.kind === 'message' ? 1 : 0;
      else {
        const name = outcome.status === 'invalid' ? outcome.reason : outcome.status;
        refused[name] = (refused[name] ?? 0) + 1;
      }
    }
    meter.add(items.length);
  };
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (const phase of PHASES) {
    const meter = new PhaseMeter(phase, network.counts[phase], report);
    for await (const items of network.batches(BATCH, [phase])) {
      if (performance.now() - started > 1000 * maxSeconds) {
        isWhole = false;
        break;
      }
      const submitted = submit(items, meter).finally(() => underWay.delete(submitted));
      underWay.add(submitted);
      if (underWay.size >= UNDER_WAY) await Promise.race(underWay);
    }
  }
  await Promise.all(underWay);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await core.close();
  await lock?.release();
  batches.sort((a, b) => a - b);
  return {
    messages,
    seconds,
    isWhole,
    refused,
    batchP50: batches[Math.floor(batches.length * 0.5)] ?? 0,
    batchP99: batches[Math.floor(batches.length * 0.99)] ?? 0,
    cpuSeconds: (user + system) / 1e6,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
};

handleParentMessages<IngestInput, IngestResult, IngestProgress>(async (input, report) => {
  const answer = await load(input, report);
  // Brings the tables into the state that autovacuum leaves on a running server.
  await withDatabase(input.environment, async (db) => {
    if (answer.isWhole) await storeBenchChannels(db);
    if (db.kind === 'postgres') await db.script('vacuum (analyze)');
    else await db.vacuum();
    if (answer.isWhole) await markLoaded(db);
  });
  return answer;
});
