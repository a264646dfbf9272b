import { type Address, pad } from 'viem';
import { HOUR_MS } from '../../duration.js';
import { selectUnreadTokens, upsertChainTokens } from '../../store/onchain/token.js';
import {
  type ReceivedToken,
  selectDueSearches,
  selectTransferSpan,
  type TransferSearchRow,
  updateAvailableEndpoint,
  updateTransferSearch,
  updateTransferTurn,
  upsertTransferEndpoint,
  upsertUnavailableEndpoint,
  upsertWalletTokens,
} from '../../store/onchain/transfer-search.js';
import { atMost, firstUnsettled, indexLogs, REFUSED_MS } from '../log-search/log-indexer.js';
import { LogRange, LogSearchEnded } from '../log-search/log-range.js';
import type { ChainClient, Network, NetworkDependencies } from '../network.js';
import { ERC20_TOPICS, TRANSFER } from '../transfer-event.js';
import { readTokenContracts } from './contract.js';
import type { TokenLists } from './list.js';

/** Requests that the search of a wallet may use for past blocks, on each chain. */
export const SEARCH_BUDGET = 400;

const FIRST_SPAN = 50_000;
const MAX_SPAN = 20_000_000;
/** Wallets in one round of a chain, and requests for each. The rest follows in later rounds. */
const MAX_SEARCHES = 20;
const MAX_REQUESTS = 25;
/** Tokens stored from one response, the newest first, so that spam cannot fill the database or use up a round. */
const MAX_TOKENS = 500;
const REREAD_MS = 7 * 24 * HOUR_MS;

interface RawLog {
  readonly address?: unknown;
  readonly topics?: readonly unknown[];
  readonly blockNumber?: unknown;
}

export interface SearchDependencies extends NetworkDependencies {
  /** Their balances are read for every wallet anyway. */
  readonly lists: TokenLists;
  /** Called with the reason if an endpoint does not support log searches, for the operator. */
  readonly refused: (network: Network, reason: string) => void;
}

/** @returns the ERC-20 tokens of well-formed logs with their latest block, the newest first */
const tokensOf = (logs: readonly unknown[]): ReceivedToken[] => {
  const newest = new Map<string, number>();
  for (const log of logs) {
    const { address, topics, blockNumber } = (log ?? {}) as RawLog;
    if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address) || topics?.length !== ERC20_TOPICS) continue;
    const token = address.slice(2).toLowerCase();
    const block = typeof blockNumber === 'string' ? Number(blockNumber) : Number.NaN;
    if (Number.isSafeInteger(block)) newest.set(token, Math.max(block, newest.get(token) ?? 0));
  }
  return [...newest].map(([token, block]) => ({ token, block })).sort((a, b) => b.block - a.block);
};

/** One round of one chain: searches its wallets one after another. */
class ChainScan {
  readonly #deps: SearchDependencies;
  readonly #network: Network;
  readonly #client: ChainClient;
  readonly #chainId: number;
  readonly #signal: AbortSignal;

  constructor(deps: SearchDependencies, network: Network, signal: AbortSignal) {
    this.#deps = deps;
    this.#network = network;
    this.#client = deps.networks.client(network);
    this.#chainId = deps.networks.chainId(network);
    this.#signal = signal;
  }

  async run(searches: readonly TransferSearchRow[]): Promise<void> {
    const { db, failed, refused, clock } = this.#deps;
    const storedSpan = await selectTransferSpan(db, this.#chainId);
    const range = new LogRange(this.#client, { span: storedSpan ?? FIRST_SPAN, maxSpan: MAX_SPAN });
    let ended: unknown;
    try {
      const head = Number(await this.#client.getBlockNumber());
      for (const search of searches) {
        this.#signal.throwIfAborted();
        await updateTransferTurn(db, search, new Date(clock()));
        await this.#search(search, head, range);
      }
    } catch (error) {
      ended = error;
    }
    const { kind, reason } = ended instanceof LogSearchEnded ? ended : { kind: undefined, reason: '' };
    if (kind === 'refused') {
      await upsertTransferEndpoint(db, this.#chainId, range.span, { at: new Date(clock()), reason });
      refused(this.#network, reason);
    } else if (range.span !== storedSpan) await upsertTransferEndpoint(db, this.#chainId, range.span, null);
    if (this.#signal.aborted) return;
    const isUnavailable = ended !== undefined && (kind === undefined || kind === 'unavailable');
    if (isUnavailable) {
      failed(this.#network, ended);
      await upsertUnavailableEndpoint(db, this.#chainId, range.span, new Date(clock()));
    } else await updateAvailableEndpoint(db, this.#chainId);
  }

  async #search(row: TransferSearchRow, head: number, range: LogRange): Promise<void> {
    const began = new Date(this.#deps.clock());
    // Before the first search all blocks are past ones.
    const found = { low: row.low ?? head + 1, high: row.high ?? head, budget: row.budget };
    const isThrough = await indexLogs<readonly unknown[]>({
      ...{ range, signal: this.#signal, head, low: found.low },
      from: found.high >= head ? head + 1 : firstUnsettled(0, found.high),
      mayGoOn: atMost(MAX_REQUESTS),
      wantsPast: () => found.budget > 0,
      read: async ({ first, last, isNew }) => {
        const logs = await this.#logs(row.wallet, range, first, last);
        if (!isNew) found.budget -= 1;
        return logs;
      },
      store: async (logs, { first, last, isNew }) => {
        if (isNew) found.high = Math.max(found.high, last);
        else found.low = first;
        await this.#saveProgress({ ...row, ...found }, logs);
      },
    });
    await updateTransferSearch(this.#deps.db, { ...row, ...found }, isThrough ? began : null);
  }

  /** @returns undefined if the range was too large @throws LogSearchEnded, also if a single block is too large or slow */
  async #logs(wallet: string, range: LogRange, first: number, last: number): Promise<readonly unknown[] | undefined> {
    const request = range.readRaw({ topics: [TRANSFER, null, pad(`0x${wallet}`)] }, first, last);
    const answer = await request.catch((error: unknown) => {
      if (error instanceof LogSearchEnded && error.kind === 'slow' && first === last) return error;
      throw error;
    });
    if (answer instanceof LogSearchEnded) throw new LogSearchEnded('refused', answer.reason);
    return answer;
  }

  async #saveProgress(search: TransferSearchRow, logs: readonly unknown[]): Promise<void> {
    const { db, clock } = this.#deps;
    const listed = this.#deps.lists.of(this.#chainId);
    const tokens = tokensOf(logs)
      .filter(({ token }) => !listed.has(`0x${token}`))
      .slice(0, MAX_TOKENS);
    const names = tokens.map(({ token }) => token);
    const since = new Date(clock() - REREAD_MS);
    const unread = names.length === 0 ? [] : await selectUnreadTokens(db, this.#chainId, names, since);
    this.#signal.throwIfAborted();
    const contracts = await readTokenContracts(
      this.#client,
      unread.map((name): Address => `0x${name}`),
    );
    this.#signal.throwIfAborted();
    const read = unread.map((address, index) => ({ address, token: contracts[index] ?? null }));
    await db.transaction(async (session) => {
      if (read.length > 0) await upsertChainTokens(session, this.#chainId, read, new Date(clock()));
      if (tokens.length > 0) await upsertWalletTokens(session, this.#chainId, search.wallet, tokens);
      await updateTransferSearch(session, search, null);
    });
  }
}

/**
 * Runs one round of the search for received tokens. It searches the Transfer events of wallets whose balances were
 * requested, the newest blocks first, in ranges that the endpoint accepts. The next request for balances reads what was
 * found. Rounds are repeated, in one process at a time.
 * @throws the signal's reason when it aborts
 */
export const searchTransfers = async (deps: SearchDependencies, signal: AbortSignal): Promise<void> => {
  const { db, networks, clock } = deps;
  const chains = new Map(networks.configured.map((network) => [networks.chainId(network), network]));
  const when = { now: new Date(clock()), refusedSince: new Date(clock() - REFUSED_MS) };
  const due = await selectDueSearches(db, [...chains.keys()], when, MAX_SEARCHES);
  const turns = [...chains].map(async ([chainId, network]) => {
    const searches = due.filter((search) => search.chainId === chainId);
    if (searches.length > 0) await new ChainScan(deps, network, signal).run(searches);
  });
  await Promise.all(turns);
  signal.throwIfAborted();
};
