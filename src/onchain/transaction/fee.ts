import { parseGwei } from 'viem';
import { AppError } from '../../error.js';
import type { ChainClient } from '../network.js';

/** The offered price of a unit of gas, in wei. */
export interface Fee {
  /** Maximum, including the tip. */
  readonly maxFee: bigint;
  /** Maximum tip; on a chain without base fee equal to `maxFee`. */
  readonly priorityFee: bigint;
  /** The chain has no base fee: transactions name a gas price (EIP-155) instead of two fees (EIP-1559). */
  readonly isLegacy: boolean;
}

/** The current price of gas, and an offer that suffices for a while. */
export interface FeeMarket extends Fee {
  /** The lowest price at which a block includes a transaction now. */
  readonly least: bigint;
}

/** A base fee rises by an eighth from block to block at most (EIP-1559): twice is enough for six full blocks. */
const BASE_FEE_FACTOR = 2n;

/** Nodes replace a transaction for a tenth more (geth's `txpool.pricebump`), some for an eighth (Nethermind). */
const BUMP_PERCENT = 125n;
const BUMP_BASE = 1000n;

/**
 * In gwei, many times the price in the busiest hours of each network, so that an endpoint with wrong prices cannot make
 * a wallet spend its balance on tips. By chain id: Ethereum, and local chains; all others are rollups.
 */
const CEILINGS: Readonly<Record<number, number>> = { 1: 500, 31337: 500, 84532: 500 };
const CEILING = 50;

/** @returns the maximum price of a unit of gas on a chain, in wei */
export const feeCeiling = (chainId: number, maxFeeGwei?: number): bigint =>
  parseGwei(String(maxFeeGwei ?? CEILINGS[chainId] ?? CEILING));

const tooHigh = (client: ChainClient, price: bigint, ceiling: bigint): AppError => {
  const network = client.chain.name;
  const message = `Gas on ${network} costs ${price} wei, and at most ${ceiling} are offered here (CASTELLAN_MAX_FEE_GWEI): nothing was sent. Try again when it is cheaper.`;
  return new AppError('internal', 'FeeTooHigh', message);
};

/**
 * Reads the price of gas.
 * @param ceiling maximum offer, in wei
 * @throws AppError FeeTooHigh if gas costs more than that, and what the client throws
 */
export const readFees = async (client: ChainClient, ceiling: bigint): Promise<FeeMarket> => {
  const { baseFeePerGas } = await client.getBlock({ blockTag: 'latest' });
  if (baseFeePerGas === null || baseFeePerGas === undefined) {
    const price = await client.getGasPrice();
    if (price > ceiling) throw tooHigh(client, price, ceiling);
    return { maxFee: price, priorityFee: price, isLegacy: true, least: price };
  }
  const priorityFee = await client.estimateMaxPriorityFeePerGas();
  const price = baseFeePerGas + priorityFee;
  if (price > ceiling) throw tooHigh(client, price, ceiling);
  const maxFee = smaller(baseFeePerGas * BASE_FEE_FACTOR + priorityFee, ceiling);
  return { maxFee, priorityFee, isLegacy: false, least: baseFeePerGas };
};

const raise = (fee: bigint): bigint => fee + (fee * BUMP_PERCENT + BUMP_BASE - 1n) / BUMP_BASE + 1n;
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** @returns the lowest price that replaces a transaction, or more if the market is higher */
export const bumpFee = (old: Pick<Fee, 'maxFee' | 'priorityFee'>, market: FeeMarket): Fee => {
  const priorityFee = larger(raise(old.priorityFee), market.priorityFee);
  const maxFee = larger(larger(raise(old.maxFee), market.maxFee), priorityFee);
  return market.isLegacy ? { maxFee, priorityFee: maxFee, isLegacy: true } : { maxFee, priorityFee, isLegacy: false };
};
