import type { Address } from 'viem';
import { AppError, invalidField } from '../../error.js';
import type { ChainClient } from '../network.js';
import { readTokenContracts } from '../token/contract.js';
import { type Decimal, parseDecimal } from '../token/decimal.js';

const MAX_UNITS = 2n ** 256n - 1n;

/** What has to be paid. */
export interface PaymentTerms {
  /** In the smallest unit of the token. */
  readonly units: bigint;
  /** Safe to display; the address of the token if its contract has no symbol. */
  readonly symbol: string;
  /** Newest block. */
  readonly block: bigint;
}

/** @returns the number times ten to the power of `decimals`; undefined if that is not a whole number of 256 bits */
export const smallestUnits = ({ digits, scale }: Decimal, decimals: number): bigint | undefined => {
  const shift = decimals - scale;
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  const isExact = shift >= 0 || units * 10n ** BigInt(-shift) === digits;
  return isExact && units > 0n && units <= MAX_UNITS ? units : undefined;
};

/**
 * Reads the token from the chain and converts an amount.
 * @param amount in whole tokens, as JavaScript writes the number of the request
 * @param property of the request's member that has the members `token_contract_address` and `amount`
 * @throws AppError invalid with one of these properties for what is not an ERC-20 token, and for an amount that the token
 *   cannot express; internal if the chain does not answer
 */
export const readTerms = async (
  client: ChainClient,
  { token, amount }: { readonly token: Address; readonly amount: string },
  property: string,
): Promise<PaymentTerms> => {
  const [[contract], block] = await Promise.all([
    readTokenContracts(client, [token]),
    client.getBlockNumber({ cacheTime: 0 }),
  ]);
  if (!contract) {
    const name = `${property}.token_contract_address`;
    throw invalidField(name, `${name}: ${token} is not the contract of an ERC-20 token on this network.`);
  }
  const number = parseDecimal(amount);
  const units = number && smallestUnits(number, contract.decimals);
  if (units === undefined) {
    const name = `${property}.amount`;
    const message = `${name}: ${amount} is no amount of this token, which has ${contract.decimals} decimals.`;
    throw new AppError('invalid', 'InvalidField', message, { property: name });
  }
  return { units, symbol: contract.symbol || token, block };
};
