import type { ConfigReader } from './reader.js';
import type { X402Asset } from './x402-variable.js';

const USDC_DECIMALS = 6;

/** Limits of payments that wallets sign. */
export interface X402Settings {
  /** Most USDC of one payment, in the smallest unit, in decimal digits. */
  readonly maxPayment: string;
  /** Most USDC that a wallet signs for in 24 hours on each network, likewise. */
  readonly maxPerDay: string;
  /** Tokens beside USDC. */
  readonly assets: readonly X402Asset[];
}

/** @param coins like `0.5` @returns decimal digits of the smallest unit */
const unitsOf = (coins: string): string => {
  const [whole = '', fraction = ''] = coins.split('.');
  return BigInt(whole + fraction.padEnd(USDC_DECIMALS, '0')).toString();
};

export const readX402Settings = (reader: ConfigReader): X402Settings => ({
  maxPayment: unitsOf(reader.get('CASTELLAN_X402_MAX_PAYMENT')),
  maxPerDay: unitsOf(reader.get('CASTELLAN_X402_MAX_PER_DAY')),
  assets: reader.get('CASTELLAN_X402_ASSETS'),
});
