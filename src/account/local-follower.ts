import { isAddressEqual } from 'viem';
import type { Database } from '../db/database.js';
import { createPollingLoop } from '../delivery/polling-loop.js';
import { LOCAL_TOKEN_DEPLOYER } from '../onchain/local/token.js';
import { createMiningCheck } from '../onchain/mining-check.js';
import { REGISTRY_ADDRESSES, registryClient } from '../onchain/registry/contract.js';
import type { MinedLog } from '../onchain/registry/event.js';
import { ingestRegistryLogs, type LogIngestDependencies } from './receipt-ingest.js';

/** How often the chain is asked for new blocks after it had one. */
const POLL_MS = 500;
/** How often it is asked as long as it has none. */
const QUIET_MS = 2_000;

interface Dependencies extends LogIngestDependencies {
  readonly db: Database;
  /** Called after each new block. */
  readonly mined: () => void;
  readonly failed: (error: unknown) => void;
}

const byBlock = (logs: readonly MinedLog[]): MinedLog[][] => {
  const blocks = new Map<string, MinedLog[]>();
  for (const log of logs) blocks.set(log.blockHash, [...(blocks.get(log.blockHash) ?? []), log]);
  return [...blocks.values()];
};

/**
 * Stores the events of the local chain's registries, as a hub stores those of the public ones. Every start reads from
 * the first block on: the chain is small, and known events change nothing. Accounts of the sample network, which the
 * owner of the contracts registered there, are in the store already.
 */
export const followLocalRegistries = (deps: Dependencies) => {
  const isMining = createMiningCheck();
  let next = 0n;

  const round = async (): Promise<void> => {
    const client = registryClient(deps.networks);
    const latest = await client.getBlockNumber();
    // The chain lost its state and began anew.
    if (latest + 1n < next) next = 0n;
    if (latest < next) return;
    rounds.pollIn(POLL_MS);
    if (isMining(latest)) return;
    const logs = await client.getLogs({ address: [...REGISTRY_ADDRESSES], fromBlock: next, toBlock: latest });
    for (const block of byBlock(logs)) {
      const [head] = block as [MinedLog];
      const { from } = await client.getTransaction({ hash: head.transactionHash });
      if (!isAddressEqual(from, LOCAL_TOKEN_DEPLOYER)) await ingestRegistryLogs(deps, block);
    }
    next = latest + 1n;
    deps.mined();
  };
  const rounds = createPollingLoop({ everyMs: QUIET_MS, round, failed: deps.failed });
  return rounds;
};
