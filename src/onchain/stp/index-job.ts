import { HOUR_MS } from '../../duration.js';
import {
  selectDueStpArt,
  selectUnreadStpContracts,
  updateStpArt,
  updateStpContracts,
} from '../../store/stp/contract.js';
import { REORG_BLOCKS } from '../log-search/log-indexer.js';
import { LogSearchEnded } from '../log-search/log-range.js';
import type { Network, NetworkDependencies } from '../network.js';
import { type ArtSource, readArt } from './art.js';
import { readDescriptions } from './description.js';
import type { PlacedFactory } from './factory.js';
import { searchFactory } from './search.js';

/** Names, owners and pictures are read again after a day, a picture that could not be read after an hour. */
const REREAD_MS = 24 * HOUR_MS;
const RETRY_MS = HOUR_MS;
/** Contracts of a network that one round reads. */
const MAX_CONTRACTS = 200;
/** Metadata that one round fetches, and how many at a time: each may take five seconds. */
const MAX_ART = 30;
const ART_CONCURRENCY = 5;

export interface StpIndexParts extends NetworkDependencies {
  readonly factories: readonly PlacedFactory[];
  readonly art: ArtSource;
}

const readContracts = async (
  { db, networks, clock }: StpIndexParts,
  network: Network,
  head: number,
  signal: AbortSignal,
): Promise<void> => {
  const chain = { network, chainId: networks.chainId(network) };
  const now = new Date(clock());
  const due = { before: new Date(now.getTime() - REREAD_MS), depth: REORG_BLOCKS };
  const addresses = await selectUnreadStpContracts(db, chain, due, MAX_CONTRACTS);
  if (addresses.length === 0) return;
  const contracts = await readDescriptions(networks.client(network), addresses);
  signal.throwIfAborted();
  await updateStpContracts(db, chain, contracts, { at: now, block: head });
};

/**
 * Runs one round of the index of subscription tokens: on each network searches the events of its factories and of their
 * contracts, then reads owners and names of contracts that are new or were changed. Rounds are repeated, in one
 * process at a time. A network that does not respond is reported and tried again.
 * @throws the signal's reason when it aborts
 */
export const indexStp = async (parts: StpIndexParts, signal: AbortSignal): Promise<void> => {
  const { db, networks, factories, clock, failed } = parts;
  const names = [...new Set(factories.map(({ network }) => network))];
  const round = async (network: Network): Promise<void> => {
    const client = networks.client(network);
    const head = Number(await client.getBlockNumber());
    let ended: unknown;
    for (const factory of factories.filter((one) => one.network === network)) {
      signal.throwIfAborted();
      await searchFactory({ db, client, clock, head, signal }, factory).catch((error: unknown) => {
        if (!(error instanceof LogSearchEnded)) throw error;
        ended = error;
      });
    }
    await readContracts(parts, network, head, signal);
    if (ended !== undefined) throw ended;
  };
  await Promise.all(
    names.map((network) =>
      round(network).catch((error: unknown) => {
        if (!signal.aborted) failed(network, error);
      }),
    ),
  );
  signal.throwIfAborted();
};

/**
 * Fetches the pictures of subscription contracts that are due. Owners of contracts choose these addresses freely, so no
 * request of the API waits for them.
 * @throws the signal's reason when it aborts
 */
export const fetchStpArt = async (
  { db, art, clock }: Pick<StpIndexParts, 'db' | 'art' | 'clock'>,
  signal: AbortSignal,
): Promise<void> => {
  const now = clock();
  const due = { before: new Date(now - REREAD_MS), failedBefore: new Date(now - RETRY_MS) };
  const waiting = (await selectDueStpArt(db, due, MAX_ART)).values();
  const work = async (): Promise<void> => {
    for (const row of waiting) {
      signal.throwIfAborted();
      let picture: string | undefined;
      try {
        picture = await readArt(row.uri, art);
      } finally {
        // Also after an unexpected error: the contract would be the first one again, and the others never read.
        await updateStpArt(db, row, picture, new Date(clock()));
      }
    }
  };
  await Promise.all(Array.from({ length: ART_CONCURRENCY }, work));
};
