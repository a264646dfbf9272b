import type { ConfigReader } from './reader.js';

const USDC_DECIMALS = 6;

/** @param coins like `0.5` @returns decimal digits of the smallest unit */
const unitsOf = (coins: string): string => {
  const [whole = '', fraction = ''] = coins.split('.');
  return BigInt(whole + fraction.padEnd(USDC_DECIMALS, '0')).toString();
};

/** Limits of payments that wallets sign. */
export const readX402Settings = (reader: ConfigReader) => ({
  /** Most USDC of one payment, in the smallest unit, in decimal digits. */
  maxPayment: unitsOf(reader.get('CASTELLAN_X402_MAX_PAYMENT')),
  /** Most USDC that a wallet signs for in 24 hours on each network, likewise. */
  maxPerDay: unitsOf(reader.get('CASTELLAN_X402_MAX_PER_DAY')),
  /** Tokens beside USDC. */
  assets: reader.get('CASTELLAN_X402_ASSETS'),
});
export type X402Settings = ReturnType<typeof readX402Settings>;
