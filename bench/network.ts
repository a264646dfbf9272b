import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { OnChainEvent, UserNameProof } from '@farcaster/core';
import { SingleBar } from 'cli-progress';
import type { IngestItem } from '../src/ingest/item.js';
import { readDelimited } from './network-file.js';
import { generate } from './network-generate.js';
import { type NetworkSize, networkSize, PHASES, type Phase } from './network-plan.js';

/** Incremented when the same size would produce different bytes, so that an old cache is not used. */
const GENERATOR_VERSION = 1;

export interface NetworkOptions {
  /** 1 is 50,000 accounts, 500,000 casts, 1,500,000 reactions and 1,000,000 links. */
  readonly scale?: number;
  /** Folder of the cached networks; `bench/.cache` when absent. */
  readonly cache?: string;
  readonly threads?: number;
}

/** A generated network on disk. */
export interface BenchNetwork {
  readonly size: NetworkSize;
  /** Items by phase. */
  readonly counts: Readonly<Record<Phase, number>>;
  readonly total: number;
  /** Items per second of the generation; absent when the network came from the cache. */
  readonly generationRate?: number;
  /** Reads the items in the order of their ingest, or those of some phases. */
  batches(batchSize: number, phases?: readonly Phase[]): AsyncGenerator<IngestItem[]>;
}

interface Manifest {
  readonly size: NetworkSize;
  readonly counts: Record<Phase, number>;
  readonly bytes: Record<Phase, number>;
}

/**
 * Opens the network of a size, and generates it first if the cache does not have it.
 * The cache folder gets its name only when it is complete, so that an interrupted generation is never used.
 */
export const openNetwork = async (options: NetworkOptions = {}): Promise<BenchNetwork> => {
  const size = networkSize(options.scale ?? 1);
  const cache = options.cache ?? fileURLToPath(new URL('.cache', import.meta.url));
  const folder = join(cache, `network-${GENERATOR_VERSION}-${Object.values(size).join('-')}`);
  const known = await readManifest(folder);
  if (known !== undefined) return networkIn(folder, known);

  const started = performance.now();
  const partial = `${folder}.partial-${process.pid}`;
  await removeStale(cache, folder);
  await mkdir(partial, { recursive: true });
  const bar = new SingleBar({
    format: 'signing the network [{bar}] {percentage}% | {value}/{total} | {rate}/s | {eta_formatted}',
  });
  const manifest = await generate({
    size,
    folder: partial,
    threads: options.threads ?? availableParallelism(),
    onStart: (total) => bar.start(total, 0, { rate: 0 }),
    onProgress: (count, rate) => bar.increment(count, { rate: Math.round(rate) }),
  });
  bar.setTotal(Object.values(manifest.counts).reduce((sum, count) => sum + count, 0));
  bar.stop();
  await writeFile(join(partial, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(partial, folder);
  const network = networkIn(folder, manifest);
  return { ...network, generationRate: network.total / ((performance.now() - started) / 1000) };
};

/** @returns the manifest if the folder is complete: every file with its recorded size */
const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const manifest = JSON.parse(text) as Manifest;
  for (const phase of PHASES) {
    const found = await stat(phaseFile(folder, phase)).catch(() => undefined);
    if (found?.size !== manifest.bytes[phase]) {
      await rm(folder, { recursive: true });
      return undefined;
    }
  }
  return manifest;
};

/** Removes the remains of interrupted generations of this network. */
const removeStale = async (cache: string, folder: string): Promise<void> => {
  for (const name of await readdir(cache).catch(() => [])) {
    const path = join(cache, name);
    if (!path.startsWith(`${folder}.partial-`)) continue;
    const owner = Number(name.split('-').at(-1));
    if (!isRunning(owner)) await rm(path, { recursive: true });
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const phaseFile = (folder: string, phase: Phase): string => join(folder, `${phase}.bin`);

const networkIn = (folder: string, { size, counts }: Manifest): BenchNetwork => ({
  size,
  counts,
  total: Object.values(counts).reduce((sum, count) => sum + count, 0),
  batches: (batchSize, phases = PHASES) => readBatches(folder, batchSize, phases),
});

async function* readBatches(folder: string, batchSize: number, phases: readonly Phase[]): AsyncGenerator<IngestItem[]> {
  let batch: IngestItem[] = [];
  for (const phase of phases) {
    for await (const bytes of readDelimited(phaseFile(folder, phase))) {
      batch.push(itemOf(phase, bytes));
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

const itemOf = (phase: Phase, bytes: Uint8Array): IngestItem => {
  if (phase === 'account') return { kind: 'onchain', event: OnChainEvent.decode(bytes) };
  if (phase === 'name') return { kind: 'proof', proof: UserNameProof.decode(bytes) };
  return { kind: 'message', wire: bytes };
};

// As a program it only generates: `npx tsx bench/network.ts --scale 0.1`.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' }, threads: { type: 'string' } } });
  const { scale, threads } = values;
  const network = await openNetwork({
    scale: Number(scale),
    ...(threads === undefined ? {} : { threads: Number(threads) }),
  });
  const rate = network.generationRate;
  const how = rate === undefined ? 'found in the cache' : `signed at ${Math.round(rate)} items/s`;
  console.log(`${network.total} items, ${how}`);
  console.table(network.counts);
}
