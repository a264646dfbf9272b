import type { Address } from 'viem';
import type { ChainClient } from '../network.js';
import { type Read, readBounded, WORD_BYTES } from '../rpc/gas-bounded-read.js';
import { readTokenContracts, type TokenContract } from '../token/contract.js';
import {
  CALL,
  DETAIL_WORDS,
  SUBSCRIPTION_WORDS_V1,
  SUBSCRIPTION_WORDS_V2,
  subscriptionCall,
  TIER_WORDS,
  tierCall,
} from './abi.js';
import { readWords, wordAddress, wordNumber } from './words.js';

const ZERO = `0x${'0'.repeat(40)}`;
/** Tiers of a contract that are read, unless a subscription has a later one. */
const MAX_TIERS = 16;
/** Tiers in one answer: 43 fit into one call. */
const MAX_TIERS_READ = 430;

export interface StpPrice {
  readonly periodSeconds: number;
  /** In the smallest unit, as is the price of the mint. */
  readonly tokensPerPeriod: bigint;
  readonly initialMintPrice: bigint;
}

export interface StpTier {
  /** From 1 on; 0: the only one of a contract of version 1. */
  readonly id: number;
  readonly price: StpPrice;
}

/** What a subscription contract reports now. */
export interface StpContract {
  readonly version: 1 | 2;
  /** Lower case; undefined if it does not report one. */
  readonly owner: Address | undefined;
  /** ERC-20 token of payments, in lower case; undefined: the native coin. */
  readonly currency: Address | undefined;
  /** Properties of that token; undefined for the native coin, and for what is no ERC-20 token. */
  readonly token: TokenContract | undefined;
  /** By id, in this order. */
  readonly tiers: readonly StpTier[];
}

/** A subscription that an account has or had. */
export interface StpSubscription {
  readonly tierId: number;
  readonly tokenId: bigint;
  /** Unix seconds. */
  readonly expiresAt: bigint;
}

/** A question about one account. */
export interface StpAccount {
  readonly contract: Address;
  readonly account: Address;
}

/** The state of contracts and subscriptions at the newest block. */
export interface StpState {
  /** Unix seconds of the newest block. */
  readonly now: bigint;
  /** By address; what is no subscription contract is missing. */
  readonly contracts: ReadonlyMap<Address, StpContract>;
  /** In the order of the questions; undefined: none, or it was refunded to the end and lost its tier. */
  readonly subscriptions: readonly (StpSubscription | undefined)[];
}

/** The words of a contract that are read first, in this order. */
const FACTS = [CALL.version, CALL.owner, CALL.pricePerSecond, CALL.minSeconds, CALL.currency];

interface Base {
  readonly version: 1 | 2;
  readonly owner: Address | undefined;
  readonly currency: Address | undefined;
  /** Of version 1. */
  readonly price?: StpPrice;
  /** Of version 2. */
  readonly tierCount: number;
}

type Answer = `0x${string}` | undefined;

const currencyOf = (word: bigint | undefined): { readonly currency: Address | undefined } | undefined => {
  const address = wordAddress(word);
  return address && { currency: address === ZERO ? undefined : address };
};

const readBase = (facts: readonly Answer[], detail: Answer): Base | undefined => {
  const [version, owner, pricePerSecond, minSeconds, currency] = facts.map((answer) => readWords(answer, 1)?.[0]);
  const base = { owner: wordAddress(owner) };
  if (version === 2n) {
    const words = readWords(detail, DETAIL_WORDS);
    const [tierCount, paid] = [wordNumber(words?.[0]), currencyOf(words?.[4])];
    return tierCount === undefined || !paid ? undefined : { ...base, ...paid, version: 2, tierCount };
  }
  const [periodSeconds, paid] = [wordNumber(minSeconds), currencyOf(currency)];
  if (version !== undefined || periodSeconds === undefined || pricePerSecond === undefined || !paid) return undefined;
  const price = { periodSeconds, tokensPerPeriod: pricePerSecond * BigInt(periodSeconds), initialMintPrice: 0n };
  return { ...base, ...paid, version: 1, price, tierCount: 0 };
};

const subscriptionOf = (answer: Answer, contract: Base | undefined): StpSubscription | undefined => {
  if (contract?.version === 1) {
    const [tokenId, , , expiresAt] = readWords(answer, SUBSCRIPTION_WORDS_V1) ?? [];
    return tokenId && expiresAt ? { tierId: 0, tokenId, expiresAt } : undefined;
  }
  if (contract === undefined) return undefined;
  const [tier, tokenId, expiresAt] = readWords(answer, SUBSCRIPTION_WORDS_V2) ?? [];
  const tierId = wordNumber(tier);
  return tierId && tierId <= 0xffff && tokenId && expiresAt ? { tierId, tokenId, expiresAt } : undefined;
};

const tierOf = (answer: Answer, id: number): StpTier | undefined => {
  const words = readWords(answer, TIER_WORDS);
  const [period, initialMintPrice, tokensPerPeriod] = [wordNumber(words?.[2]), words?.[11], words?.[12]];
  if (period === undefined || initialMintPrice === undefined || tokensPerPeriod === undefined) return undefined;
  return { id, price: { periodSeconds: period, tokensPerPeriod, initialMintPrice } };
};

interface TierRead {
  readonly contract: Address;
  readonly id: number;
}

/** @returns the tiers to read: those of subscriptions, and the first ones of each contract if all are wanted */
const tiersToRead = (
  bases: ReadonlyMap<Address, Base>,
  subscribed: readonly TierRead[],
  wantsAll: boolean,
): TierRead[] => {
  const wanted = [...subscribed];
  // The first tier of every contract comes before the second one of any.
  for (let id = 1; wantsAll && id <= MAX_TIERS; id += 1) {
    for (const [contract, { version, tierCount }] of bases)
      if (version === 2 && id <= tierCount) wanted.push({ contract, id });
  }
  const distinct = new Map(wanted.map((one) => [`${one.contract} ${one.id}`, one]));
  return [...distinct.values()].slice(0, MAX_TIERS_READ);
};

const readTiers = async (client: ChainClient, wanted: readonly TierRead[]): Promise<Map<Address, StpTier[]>> => {
  const reads = wanted.map(({ contract, id }) => ({ target: contract, data: tierCall(id) }));
  const answers = await read(client, reads, TIER_WORDS);
  const tiers = new Map<Address, StpTier[]>();
  for (const [index, { contract, id }] of wanted.entries()) {
    const tier = tierOf(answers[index], id);
    if (tier) tiers.set(contract, [...(tiers.get(contract) ?? []), tier]);
  }
  for (const list of tiers.values()) list.sort((a, b) => a.id - b.id);
  return tiers;
};

const read = (client: ChainClient, reads: readonly Read[], words: number): Promise<Answer[]> =>
  readBounded(client, reads, words * WORD_BYTES);

/**
 * Reads contracts and subscriptions from the chain, in two rounds of calls whatever their number. A contract cannot
 * disturb the reads of others; one that returns something else than the protocol says is missing.
 * @param contracts distinct, in lower case; those of the accounts must be among them
 * @param options `withTiers`: reads the first 16 tiers of each contract and its currency, too
 * @throws what the client throws if the chain does not respond
 */
export const readStpState = async (
  client: ChainClient,
  contracts: readonly Address[],
  accounts: readonly StpAccount[],
  { withTiers }: { readonly withTiers: boolean },
): Promise<StpState> => {
  const [block, facts, details, answers] = await Promise.all([
    client.getBlock(),
    read(
      client,
      contracts.flatMap((target) => FACTS.map((data) => ({ target, data }))),
      1,
    ),
    read(
      client,
      contracts.map((target) => ({ target, data: CALL.detail })),
      DETAIL_WORDS,
    ),
    read(
      client,
      accounts.map(({ contract: target, account }) => ({ target, data: subscriptionCall(account) })),
      SUBSCRIPTION_WORDS_V2,
    ),
  ]);
  const bases = new Map<Address, Base>();
  for (const [index, address] of contracts.entries()) {
    const base = readBase(facts.slice(FACTS.length * index, FACTS.length * (index + 1)), details[index]);
    if (base) bases.set(address, base);
  }
  const subscriptions = accounts.map(({ contract }, index) => subscriptionOf(answers[index], bases.get(contract)));
  const subscribed = accounts.flatMap(({ contract }, index) => {
    const { tierId = 0 } = subscriptions[index] ?? {};
    return tierId === 0 ? [] : [{ contract, id: tierId }];
  });
  const currencies = withTiers ? [...new Set([...bases.values()].flatMap(({ currency }) => currency ?? []))] : [];
  const [tiers, tokens] = await Promise.all([
    readTiers(client, tiersToRead(bases, subscribed, withTiers)),
    readTokenContracts(client, currencies),
  ]);
  const byCurrency = new Map(currencies.map((address, index) => [address, tokens[index]]));
  const found = [...bases].map(([address, { version, owner, currency, price }]) => {
    const token = currency && byCurrency.get(currency);
    const own = price ? [{ id: 0, price }] : (tiers.get(address) ?? []);
    return [address, { version, owner, currency, token, tiers: own }] as const;
  });
  return { now: block.timestamp, contracts: new Map(found), subscriptions };
};
