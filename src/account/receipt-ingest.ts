import { hexToBytes } from 'viem';
import type { Database } from '../db/database.js';
import type { Ingest } from '../ingest/pipeline/pipeline.js';
import { LOCAL_CHAIN_ID, type Networks } from '../onchain/network.js';
import { REGISTRY_NETWORK, registryClient } from '../onchain/registry/contract.js';
import { type EventBlock, type MinedLog, registryEvents } from '../onchain/registry/event.js';
import type { Receipt } from '../onchain/transaction/call.js';
import { registryBlockAt } from '../protocol/registry-block.js';
import { updateRegistryTransaction } from '../store/registry/registry-transaction.js';

export interface LogIngestDependencies {
  readonly ingest: Pick<Ingest, 'submit'>;
  readonly networks: Networks;
}

/** Logs of one block of the local chain; more would only change the order of events within two seconds. */
const LOCAL_LOGS_PER_BLOCK = 64;
/** Events that commands simulate for the local network have lower indexes (msIntoBlock in src/protocol/registry-block.ts). */
const LOCAL_FIRST_LOG_INDEX = 2000;

/**
 * The local chain begins with block 0, but the events of the sample network have blocks of OP Mainnet by their time. So
 * events of the local chain get the block of OP Mainnet at their time, and indexes in the order of the local blocks.
 */
const localBlock = (number: number, timestamp: number): EventBlock => ({
  number: registryBlockAt(timestamp),
  firstLogIndex: LOCAL_FIRST_LOG_INDEX + number * LOCAL_LOGS_PER_BLOCK,
  timestamp,
});

/**
 * Stores the events of logs at once, before a hub brings them: the store recognizes an event by its transaction and
 * position.
 * @param logs of one block, without gaps
 */
export const ingestRegistryLogs = async (
  { ingest, networks }: LogIngestDependencies,
  logs: readonly MinedLog[],
): Promise<void> => {
  const [head] = logs;
  if (!head) return;
  const block = await registryClient(networks).getBlock({ blockHash: head.blockHash });
  const [number, timestamp] = [Number(block.number), Number(block.timestamp)];
  const isLocal = networks.chainId(REGISTRY_NETWORK) === LOCAL_CHAIN_ID;
  const events = registryEvents(
    logs,
    isLocal ? localBlock(number, timestamp) : { number, firstLogIndex: 0, timestamp },
  );
  if (events.length === 0) return;
  await ingest.submit(
    events.map((event) => ({ kind: 'onchain', event })),
    { source: 'local', announce: true },
  );
};

/** Stores the events of a mined transaction, and that they are stored. A reverted one has none. */
export const ingestReceipt = async (
  deps: LogIngestDependencies & { readonly db: Database },
  transactionId: string,
  receipt: Receipt,
): Promise<void> => {
  if (receipt.status !== 'success') return updateRegistryTransaction(deps.db, transactionId, 'failed', null);
  await ingestRegistryLogs(deps, receipt.logs);
  await updateRegistryTransaction(deps.db, transactionId, 'stored', hexToBytes(receipt.blockHash));
};
