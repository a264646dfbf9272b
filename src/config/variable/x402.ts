import type { Address } from 'viem';
import { loadAddressFunctions, type Parse, splitList } from '../parse.js';
import { variable } from '../variable-row.js';

/** A token beside USDC that payments may be signed for. Its limits are in its smallest unit, in decimal digits. */
export interface X402Asset {
  readonly network: 'base' | 'base-sepolia';
  /** Lower case. */
  readonly address: Address;
  readonly maxPayment: string;
  readonly maxPerDay: string;
}

/** Public chain ids (EIP-155) of the networks that the contract names. */
const NETWORK_OF: Readonly<Record<string, X402Asset['network']>> = { '8453': 'base', '84532': 'base-sepolia' };

const coins: Parse<string> = (text, report) =>
  /^\d{1,9}(\.\d{1,6})?$/.test(text) ? text : report(`"${text}" is no amount of USDC, like 10 or 0.5.`);

const ASSET = /^eip155:(8453|84532)\/erc20:(0x[0-9A-Fa-f]{40})=(\d{1,78}):(\d{1,78})$/;

const assets: Parse<readonly X402Asset[]> = (text, report) => {
  const list = splitList(text).map((entry): X402Asset | undefined => {
    const [, chain = '', address = '', maxPayment = '', maxPerDay = ''] = ASSET.exec(entry) ?? [];
    const network = NETWORK_OF[chain];
    const digits = address.slice(2);
    // An address in mixed case must have a valid checksum (ERC-55).
    const isRight = digits === digits.toLowerCase() || loadAddressFunctions().isAddress(address);
    if (network === undefined || !isRight) return undefined;
    return { network, address: address.toLowerCase() as Address, maxPayment, maxPerDay };
  });
  if (!list.every((one) => one !== undefined)) {
    return report('is no list of eip155:CHAIN/erc20:ADDRESS=MAX_PAYMENT:MAX_PER_DAY with CHAIN 8453 or 84532.');
  }
  const places = new Set(list.map(({ network, address }) => `${network} ${address}`));
  return places.size === list.length ? list : report('names a token twice.');
};

/** Variables of payments and sign-ins that wallets sign (x402). */
export const X402_VARIABLES = {
  CASTELLAN_X402_MAX_PAYMENT: variable(
    coins,
    '10',
    'Most USDC that a wallet signs for in one payment of x402 ([x402](x402.md)). 0: none.',
  ),
  CASTELLAN_X402_MAX_PER_DAY: variable(
    coins,
    '100',
    'Most USDC that a wallet signs for in 24 hours on each network, whether the payments were collected or not.',
  ),
  CASTELLAN_X402_ASSETS: variable<readonly X402Asset[]>(
    assets,
    [],
    'Tokens beside USDC that may be paid with, separated by commas: `eip155:8453/erc20:0x...=MAX_PAYMENT:MAX_PER_DAY`, with both limits in the smallest unit of the token.',
    'none',
  ),
};
