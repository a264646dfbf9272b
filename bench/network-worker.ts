import { parentPort, workerData } from 'node:worker_threads';
import { OnChainEvent, UserNameProof } from '@farcaster/core';
import type { IngestItem } from '../src/ingest/item.js';
import { type CastTable, sharedCastTable } from './network-cast-table.js';
import { signChunk } from './network-chunk.js';
import { delimited } from './network-file.js';
import { type Chunk, type NetworkSize, planNetwork } from './network-plan.js';

export interface WorkerStart {
  readonly size: NetworkSize;
  readonly casts: CastTable;
}

/** Result of a thread for one chunk. */
export interface SignedChunk {
  /** The items, each prefixed with its length as a varint. */
  readonly bytes: Uint8Array;
  readonly count: number;
}

const start = workerData as WorkerStart;
const plan = planNetwork(start.size);
const table = sharedCastTable(start.casts);

parentPort?.on('message', async (chunk: Chunk) => {
  const items = await signChunk(plan, table, chunk);
  const bytes = delimited(items.map(wireOf));
  const answer: SignedChunk = { bytes, count: items.length };
  parentPort?.postMessage(answer, [bytes.buffer as ArrayBuffer]);
});

const wireOf = (item: IngestItem): Uint8Array => {
  if (item.kind === 'onchain') return OnChainEvent.encode(item.event).finish();
  if (item.kind === 'proof') return UserNameProof.encode(item.proof).finish();
  return item.wire;
};
