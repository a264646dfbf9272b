import type { Address } from 'viem';
import { type Network, PUBLIC_CHAINS } from './network.js';

/** The address under which answers show the native coin of a network, which has no contract (ERC-7528). */
export const NATIVE_ADDRESS: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** @returns name, symbol and decimals of a network's native coin. */
export const nativeCoin = (network: Network) => PUBLIC_CHAINS[network].nativeCurrency;
