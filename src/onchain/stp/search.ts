import { type Address, type Hex, keccak256, stringToBytes } from 'viem';
import type { Database } from '../../db/database.js';
import {
  deleteStpSearch,
  ensureStpSearch,
  replaceStpContracts,
  replaceStpTransfers,
  type StpFactoryKey,
  type StpSearchRow,
  type StpTransfer,
  selectStpContracts,
  updateStpAnchor,
  updateStpChanged,
  updateStpDoubt,
  updateStpSearch,
  updateStpSpan,
} from '../../store/stp/search.js';
import { readBlock, requireBlock } from '../log-search/block.js';
import { type BlockRange, firstUnsettled, indexLogs, REORG_BLOCKS } from '../log-search/log-indexer.js';
import { type ChainLog, LogRange, LogSearchEnded } from '../log-search/log-range.js';
import type { ChainClient } from '../network.js';
import { TRANSFER } from '../transfer-event.js';
import type { PlacedFactory } from './factory.js';

const eventTopic = (signature: string): Hex => keccak256(stringToBytes(signature));

/** Of the factories of SubscriptionTokenV1 and of STPV2. */
const DEPLOYMENT: readonly Hex[] = [eventTopic('Deployment(address,uint256)'), eventTopic('Deployment(address,bytes)')];
/** Of SubscriptionTokenV1 and of STPV2. */
const NEW_OWNER: readonly Hex[] = [
  eventTopic('OwnershipTransferred(address,address)'),
  eventTopic('OwnerChanged(address)'),
];

const FIRST_SPAN = 50_000;
const MAX_SPAN = 2_000_000;
/** Requests for events in one round of a factory. The rest follows in later rounds. */
const MAX_REQUESTS = 25;
/** Contracts whose events one request searches: nodes reject longer lists of addresses. */
const CONTRACTS_EACH = 500;
/** Blocks of one range whose times are requested, where the endpoint does not send them with the events. */
const MAX_BLOCK_TIMES = 200;
const CONCURRENCY = 5;
/** The anchor moves when the search is this many blocks ahead of it. */
const ANCHOR_BLOCKS = 5000;
const REFUSED_MS = 60 * 60 * 1000;

export interface StpSearchParts {
  readonly db: Database;
  readonly client: ChainClient;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Number of the newest block. */
  readonly head: number;
  readonly signal: AbortSignal;
}

const addressIn = (topic: Hex | undefined): string | undefined =>
  topic !== undefined && /^0x0{24}/.test(topic) ? topic.slice(-40) : undefined;

/** The events of a range. */
interface Found {
  readonly deployed: readonly { readonly address: string; readonly block: number }[];
  readonly changed: readonly { readonly address: string; readonly block: number }[];
  readonly transfers: readonly StpTransfer[];
}

/**
 * One round of the search of a factory. What is stored of a range is replaced as a whole, so events of blocks that were
 * replaced disappear.
 */
class FactorySearch {
  readonly #parts: StpSearchParts;
  readonly #factory: PlacedFactory;
  readonly #key: StpFactoryKey;
  readonly #range: LogRange;
  readonly #contracts: Set<string>;
  #requests = 0;

  constructor(parts: StpSearchParts, factory: PlacedFactory, key: StpFactoryKey, range: LogRange, known: string[]) {
    this.#parts = parts;
    this.#factory = factory;
    this.#key = key;
    this.#range = range;
    this.#contracts = new Set(known);
  }

  /** @param searched the first block that was not searched yet @returns the first one that is not searched now */
  async run(searched: number): Promise<number> {
    const { head, signal } = this.#parts;
    const low = this.#factory.startBlock;
    let next = searched;
    await indexLogs<Found>({
      ...{ range: this.#range, signal, head, low },
      from: firstUnsettled(low, Math.min(searched - 1, head)),
      mayGoOn: () => this.#requests < MAX_REQUESTS,
      read: ({ first, last }) => this.#read(first, last),
      store: async (found, blocks) => {
        next = await this.#store(found, { ...blocks, next });
      },
    });
    return next;
  }

  async #logs(address: readonly Address[], events: readonly Hex[], first: number, last: number) {
    this.#requests += 1;
    return this.#range.read({ address, events }, first, last);
  }

  /** @returns undefined if the range was too large */
  async #read(first: number, last: number): Promise<Found | undefined> {
    const deployments = await this.#logs([this.#factory.address], DEPLOYMENT, first, last);
    if (deployments === undefined) return undefined;
    const deployed = deployments.flatMap(({ topics, block }) => {
      const address = topics.length === 2 ? addressIn(topics[1]) : undefined;
      return address === undefined ? [] : [{ address, block }];
    });
    const contracts = [...new Set([...this.#contracts, ...deployed.map(({ address }) => address)])];
    const logs: ChainLog[] = [];
    for (let at = 0; at < contracts.length; at += CONTRACTS_EACH) {
      this.#parts.signal.throwIfAborted();
      const addresses = contracts.slice(at, at + CONTRACTS_EACH).map((hex): Address => `0x${hex}`);
      const some = await this.#logs(addresses, [TRANSFER, ...NEW_OWNER], first, last);
      if (some === undefined) return undefined;
      for (const log of some) logs.push(log);
    }
    const moved = logs.filter(({ topics }) => topics[0] === TRANSFER && topics.length === 4);
    const changed = logs
      .filter(({ topics }) => topics[0] !== TRANSFER)
      .map(({ address, block }) => ({ address: address.slice(2), block }));
    const times = await this.#times(moved, last - first + 1);
    if (times === undefined) return undefined;
    const transfers = moved.flatMap(({ address, topics, block, logIndex }): StpTransfer[] => {
      const [recipient, at] = [addressIn(topics[2]), times.get(block)];
      if (recipient === undefined || at === undefined) return [];
      const tokenId = BigInt(topics[3] as Hex).toString();
      return [{ contract: address.slice(2), tokenId, block, logIndex, recipient, at: new Date(at * 1000) }];
    });
    // One event for each contract, also from a factory that announces it twice.
    const unique = [...new Map(deployed.map((one) => [one.address, one])).values()];
    return { deployed: unique, changed, transfers };
  }

  /** @returns Unix seconds by block; undefined if the range has too many blocks whose times must be requested */
  async #times(logs: readonly ChainLog[], blocks: number): Promise<Map<number, number> | undefined> {
    const times = new Map<number, number>();
    for (const { block, time } of logs) if (time !== undefined) times.set(block, time);
    const missing = [...new Set(logs.map(({ block }) => block))].filter((block) => !times.has(block));
    if (missing.length > MAX_BLOCK_TIMES && this.#range.shrink(blocks)) return undefined;
    const waiting = missing.values();
    const work = async (): Promise<void> => {
      for (const number of waiting) {
        this.#parts.signal.throwIfAborted();
        times.set(number, (await requireBlock(this.#parts.client, number)).time);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return times;
  }

  /** @returns the first block that is not searched now */
  async #store({ deployed, changed, transfers }: Found, range: BlockRange & { readonly next: number }) {
    const { db, head, clock } = this.#parts;
    const isEnd = range.last === head;
    // A range at the end of the chain also replaces what was stored of later blocks, which are gone.
    const replaced = { first: range.first, last: isEnd ? Number.MAX_SAFE_INTEGER : range.last };
    const next = isEnd ? head + 1 : Math.max(range.next, range.last + 1);
    const progress = { next, span: this.#range.span, reachedAt: isEnd ? new Date(clock()) : null };
    await db.transaction(async (session) => {
      // The row is locked first: of two rounds at a time one fails.
      if (!(await updateStpSearch(session, this.#key, range.next, progress))) {
        throw new Error(`another process searches the events of the factory ${this.#factory.address}`);
      }
      await replaceStpContracts(session, this.#key, replaced, deployed);
      await updateStpChanged(session, this.#key, changed);
      await replaceStpTransfers(session, this.#key, replaced, transfers);
    });
    for (const { address } of deployed) this.#contracts.add(address);
    return next;
  }
}

/**
 * Forgets the index of a chain that was replaced by another one, once two rounds found that.
 * @returns whether it was
 * @throws LogSearchEnded after the first of these rounds
 */
const forgetReplacedChain = async (
  { db, client }: StpSearchParts,
  key: StpFactoryKey,
  { anchorBlock: number, anchorHash: hash, isDoubted }: StpSearchRow,
): Promise<boolean> => {
  if (number === null || hash === null) return false;
  const block = await readBlock(client, number);
  // An endpoint that lags behind does not have it.
  if (block === undefined) return false;
  const isOther = !block.hash.equals(hash);
  if (isOther !== isDoubted) await updateStpDoubt(db, key, isOther);
  if (!isOther) return false;
  if (!isDoubted) throw new LogSearchEnded('unavailable', `the endpoint has another block ${number} than before`);
  await db.transaction((session) => deleteStpSearch(session, key));
  return true;
};

const moveAnchor = async (
  { db, client }: StpSearchParts,
  key: StpFactoryKey,
  { anchorBlock: former }: StpSearchRow,
  next: number,
): Promise<void> => {
  const number = Math.max(0, next - 1 - REORG_BLOCKS);
  if (former !== null && number < former + ANCHOR_BLOCKS) return;
  const block = await readBlock(client, number);
  if (block) await updateStpAnchor(db, key, { block: number, hash: block.hash });
};

/**
 * Runs one round of the search for the contracts of a factory and their tokens.
 * @throws LogSearchEnded if the endpoint rejects the search, is slow or does not respond; the signal's reason when it
 *   aborts
 */
export const searchFactory = async (parts: StpSearchParts, factory: PlacedFactory): Promise<void> => {
  const { db, client, clock } = parts;
  const { network, chainId, startBlock } = factory;
  const key: StpFactoryKey = { network, chainId, address: factory.address.slice(2) };
  const begin = { block: startBlock, span: FIRST_SPAN };
  let row = await ensureStpSearch(db, key, begin);
  if (row.refusedAt !== null && row.refusedAt.getTime() > clock() - REFUSED_MS) return;
  if (await forgetReplacedChain(parts, key, row)) row = await ensureStpSearch(db, key, begin);
  // What is stored of later blocks would be taken for gone.
  if (parts.head < row.nextBlock - 1 - REORG_BLOCKS && row.nextBlock > startBlock) {
    throw new LogSearchEnded('unavailable', `the endpoint is behind, at block ${parts.head}`);
  }
  if (startBlock > parts.head) {
    const progress = { next: row.nextBlock, span: row.span, reachedAt: new Date(clock()) };
    await updateStpSearch(db, key, row.nextBlock, progress);
    return;
  }
  const range = new LogRange(client, { span: row.span, maxSpan: MAX_SPAN });
  const search = new FactorySearch(parts, factory, key, range, await selectStpContracts(db, key));
  let next: number;
  try {
    next = await search.run(row.nextBlock);
  } catch (error) {
    if (error instanceof LogSearchEnded) {
      await updateStpSpan(db, key, range.span, error.kind === 'refused' ? new Date(clock()) : null);
    }
    throw error;
  }
  await moveAnchor(parts, key, row, next);
};
