import type { Address } from 'viem';
import { type Network, PUBLIC_CHAINS } from '../network.js';

/** The address that represents a network's native coin in responses (ERC-7528). */
export const NATIVE_ADDRESS: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

export const nativeCoin = (network: Network) => PUBLIC_CHAINS[network].nativeCurrency;

/** Decimals of the native coin, the same on every network. */
export const NATIVE_DECIMALS = 18;
