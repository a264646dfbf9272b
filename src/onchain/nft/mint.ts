import { type Address, encodeFunctionData, getAbiItem, size } from 'viem';
import { type AppError, invalidField, notFound } from '../../error.js';
import { seriesCollectionAbi } from '../artifact/series-collection.js';
import type { Refusal } from './mint-revert.js';
import type { ChainClient } from '../network.js';
import { mapInBatches } from '../transaction/preparation.js';
import type { Recipient } from './mint-recipient.js';
import { type Simulated, type SimulatedCall, simulateCalls } from './simulation.js';
import { revertOf } from './simulation-revert.js';

/** The function that mints. */
export const MINT_ABI = [getAbiItem({ abi: seriesCollectionAbi, name: 'mint' })] as const;

/** No value reaches this: it would not fit into 256 bits beside others. */
const VALUE_END = 2n ** 248n;

/** What decides a mint but for who gets how many. */
export interface MintTerms {
  /** Wei for each token. */
  readonly price: bigint;
  /** Wei that a unit of gas costs now. */
  readonly gasPrice: bigint;
  /** Unix seconds of the block that would be next. */
  readonly time: bigint;
  /** Wei that the sender has. */
  readonly balance: bigint;
}

/** A contract of which the caller may be told. */
export interface Minted {
  /** Lower case. */
  readonly contract: Address;
  readonly network: string;
  /** What the address is called in the request. */
  readonly property: string;
}

/** @returns the error for an address without code. */
export const noContract = ({ contract, network, property }: Minted): AppError =>
  notFound(`There is no contract at ${contract} on ${network}.`, property);

const PRICE_BYTES = 32;

/** @returns what a contract says its price is as collections of this service do; undefined: it does not. */
export const readPrice = async (client: ChainClient, contract: Address): Promise<bigint | undefined> => {
  const data = encodeFunctionData({ abi: seriesCollectionAbi, functionName: 'pricePerToken' });
  try {
    const answer = await client.call({ to: contract, data });
    return answer.data !== undefined && size(answer.data) === PRICE_BYTES ? BigInt(answer.data) : undefined;
  } catch (error) {
    if (revertOf(error) === undefined) throw error;
    return undefined;
  }
};

/**
 * Reads what mints of a contract take, with requests of which none waits for another.
 * @param now Unix milliseconds
 * @throws AppError not_found for an address without code, invalid for a contract that is not minted as ours are
 */
export const readTerms = async (
  client: ChainClient,
  minted: Minted,
  from: Address,
  now: number,
): Promise<MintTerms> => {
  const { contract, property } = minted;
  const [code, price, gasPrice, block, balance] = await Promise.all([
    client.getCode({ address: contract }),
    readPrice(client, contract),
    client.getGasPrice(),
    client.getBlock(),
    client.getBalance({ address: from }),
  ]);
  if (code === undefined) throw noContract(minted);
  if (price === undefined) {
    const message = `${contract} does not say its price (pricePerToken()): only contracts that mint as the collections of this service do can be minted here.`;
    throw invalidField(property, message);
  }
  const clock = BigInt(Math.floor(now / 1000));
  return { price, gasPrice, balance, time: clock > block.timestamp ? clock : block.timestamp + 1n };
};

/** Gas for the first token and what comes with every mint, and for each token (docs/collection.md): much more than they take. */
const MINT_GAS = 300_000n;
const TOKEN_GAS = 30_000n;
/** EIP-7825: no transaction may have more. */
const TRANSACTION_GAS = 16_777_216n;

const mostGas = (quantity: number): bigint => {
  const most = MINT_GAS + TOKEN_GAS * BigInt(quantity);
  return most < TRANSACTION_GAS ? most : TRANSACTION_GAS;
};

/** @returns the call that mints. */
export const mintCall = (contract: Address, to: Address, quantity: number, price: bigint): SimulatedCall => ({
  to: contract,
  data: encodeFunctionData({ abi: MINT_ABI, functionName: 'mint', args: [to, BigInt(quantity)] }),
  value: price * BigInt(quantity),
  gas: mostGas(quantity),
});

/** One mint, and what would become of it after those before it. */
export interface SimulatedMint {
  readonly call: SimulatedCall;
  readonly outcome: Simulated;
}

const TOO_DEAR: Refusal = { name: 'TooDear', reason: 'The price is beyond every amount that there is.' };

/** Tokens that are simulated in one request: their events fill the answer, their gas the block. */
const PART_TOKENS = 4000;
/** Requests at a time. */
const AT_ONCE = 4;

/** Splits calls, in order, so that each part mints no more than a request takes. */
const partsOf = (calls: readonly SimulatedCall[], quantities: readonly number[]): SimulatedCall[][] => {
  const parts: SimulatedCall[][] = [];
  let tokens = Number.POSITIVE_INFINITY;
  for (const [index, call] of calls.entries()) {
    const quantity = quantities[index] as number;
    if (tokens + quantity > PART_TOKENS) {
      parts.push([]);
      tokens = 0;
    }
    parts.at(-1)?.push(call);
    tokens += quantity;
  }
  return parts;
};

/**
 * Simulates mints in the order of their recipients: what earlier ones take of the supply or of a wallet's limit is gone
 * for later ones. Beyond 4,000 tokens it is done in parts, which do not see each other.
 * @param recipients each with an address
 */
export const simulateMints = async (
  client: ChainClient,
  from: Address,
  contract: Address,
  recipients: readonly (Recipient & { readonly address: Address })[],
  terms: MintTerms,
): Promise<SimulatedMint[]> => {
  const calls = recipients.map(({ address, quantity }) => mintCall(contract, address, quantity, terms.price));
  const isPayable = ({ value }: SimulatedCall): boolean => value < VALUE_END;
  const quantities = recipients.filter((_, index) => isPayable(calls[index] as SimulatedCall));
  const parts = partsOf(
    calls.filter(isPayable),
    quantities.map(({ quantity }) => quantity),
  );
  const results = await mapInBatches(parts, AT_ONCE, (part) => simulateCalls(client, from, part, terms.time));
  const outcomes = results.flat().values();
  return calls.map((call) => ({
    call,
    outcome: isPayable(call) ? (outcomes.next().value as Simulated) : { refusal: TOO_DEAR },
  }));
};
