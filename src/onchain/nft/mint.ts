import { type AbiFunction, type Address, encodeFunctionData, getAbiItem, size } from 'viem';
import { type AppError, invalidField, notFound } from '../../error.js';
import { seriesCollectionAbi } from '../artifact/series-collection.js';
import type { ChainClient } from '../network.js';
import { mapInBatches } from '../transaction/preparation.js';
import type { Recipient } from './mint-recipient.js';
import type { Rejection } from './mint-revert.js';
import type { Simulated, SimulatedCall } from './simulated-call.js';
import { simulateCalls } from './simulation.js';
import { revertOf } from './simulation-revert.js';

/** The mint function of collections as this service deploys them. */
export const SERIES_MINT = getAbiItem({ abi: seriesCollectionAbi, name: 'mint' });

/** Upper bound of a value in wei, so that sums of values fit into 256 bits. */
const VALUE_END = 2n ** 248n;

/** Everything that a mint depends on, except recipient and quantity. */
export interface MintTerms {
  /** Wei for each token. */
  readonly price: bigint;
  /** Current price of a unit of gas, in wei. */
  readonly gasPrice: bigint;
  /** Unix seconds of the next block. */
  readonly time: bigint;
  /** Balance of the sender, in wei. */
  readonly balance: bigint;
}

/** The contract of a mint, with what error messages need. */
export interface Minted {
  /** Lower case. */
  readonly contract: Address;
  readonly network: string;
  /** Name of the address in the request, for errors. */
  readonly property: string;
}

/** @returns the error for an address without code. */
export const noContract = ({ contract, network, property }: Minted): AppError =>
  notFound(`There is no contract at ${contract} on ${network}.`, property);

const PRICE_BYTES = 32;

/** @returns the price of a token in wei; undefined for a contract that is not a series collection */
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
 * Reads the terms of a mint with parallel requests.
 * @param known price of a token in wei, if contract and price were read before
 * @param now Unix milliseconds
 * @throws AppError not_found for an address without code, invalid for a contract that is not a series collection
 */
export const readTerms = async (
  client: ChainClient,
  minted: Minted,
  from: Address,
  now: number,
  known?: bigint,
): Promise<MintTerms> => {
  const { contract, property } = minted;
  const [code, price, gasPrice, block, balance] = await Promise.all([
    known === undefined ? client.getCode({ address: contract }) : '0x',
    known ?? readPrice(client, contract),
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

/** Gas limit: for the mint with its first token, and for each token. Far more than they use (docs/collection.md). */
const MINT_GAS = 300_000n;
const TOKEN_GAS = 30_000n;
/** Maximum gas of a transaction (EIP-7825). */
const TRANSACTION_GAS = 16_777_216n;

const maxGas = (quantity: number): bigint => {
  const most = MINT_GAS + TOKEN_GAS * BigInt(quantity);
  return most < TRANSACTION_GAS ? most : TRANSACTION_GAS;
};

/** @param mint takes the recipient and the quantity */
export const mintCall = (
  contract: Address,
  to: Address,
  quantity: number,
  price: bigint,
  mint: AbiFunction = SERIES_MINT,
): SimulatedCall => ({
  to: contract,
  data: encodeFunctionData({ abi: [mint], functionName: mint.name, args: [to, BigInt(quantity)] }),
  value: price * BigInt(quantity),
  gas: maxGas(quantity),
});

/** A mint and its outcome after the previous ones. */
export interface SimulatedMint {
  readonly call: SimulatedCall;
  readonly outcome: Simulated;
}

const PRICE_OVERFLOW: Rejection = { name: 'TooDear', reason: 'The price is beyond every amount that there is.' };

/** Tokens in one simulation request: their events must fit into the response and their gas into a block. */
const PART_TOKENS = 4000;
/** Concurrent requests. */
const CONCURRENCY = 4;

/** Splits calls, in order, into parts of at most PART_TOKENS tokens. */
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
 * Simulates mints in the order of their recipients, so that earlier ones use up the supply and the limit of a wallet.
 * More than 4,000 tokens are simulated in separate parts, which do not see each other.
 * @param recipients each with an address
 */
export const simulateMints = async (
  client: ChainClient,
  from: Address,
  contract: Address,
  recipients: readonly (Recipient & { readonly address: Address })[],
  terms: MintTerms,
  mint: AbiFunction = SERIES_MINT,
): Promise<SimulatedMint[]> => {
  const calls = recipients.map(({ address, quantity }) => mintCall(contract, address, quantity, terms.price, mint));
  const isPayable = ({ value }: SimulatedCall): boolean => value < VALUE_END;
  const quantities = recipients.filter((_, index) => isPayable(calls[index] as SimulatedCall));
  const parts = partsOf(
    calls.filter(isPayable),
    quantities.map(({ quantity }) => quantity),
  );
  const results = await mapInBatches(parts, CONCURRENCY, (part) => simulateCalls(client, from, part, terms.time));
  const outcomes = results.flat().values();
  return calls.map((call) => ({
    call,
    outcome: isPayable(call) ? (outcomes.next().value as Simulated) : { rejection: PRICE_OVERFLOW },
  }));
};
