import type { Address } from 'viem';
import type { X402Settings } from '../../config/x402.js';

/** Networks of payments, in the API's spelling. */
export type PaymentNetwork = 'base' | 'base-sepolia';

/** Name and version of a token's EIP-712 domain. */
export interface DomainName {
  readonly name: string;
  readonly version: string;
}

/** A token that wallets may sign payments for. */
export interface PayableAsset {
  readonly network: PaymentNetwork;
  /** Lower case. */
  readonly address: Address;
  /** Most of one payment, in the smallest unit. */
  readonly maxPayment: bigint;
  /** Most that a wallet signs for in 24 hours, in the smallest unit. */
  readonly maxPerDay: bigint;
  /** Undefined if it has to be read from the contract or the request. */
  readonly domain: DomainName | undefined;
}

/** @param address in any case @returns undefined for a token that wallets may not sign payments for */
export type AssetLookup = (network: PaymentNetwork, address: string) => PayableAsset | undefined;

/**
 * USDC. Addresses: https://developers.circle.com/stablecoins/usdc-contract-addresses. The names differ between the
 * networks, as `name()` of the contracts returns it; both have version 2.
 */
const USDC: readonly Pick<PayableAsset, 'network' | 'address' | 'domain'>[] = [
  {
    network: 'base',
    address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    domain: { name: 'USD Coin', version: '2' },
  },
  {
    network: 'base-sepolia',
    address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    domain: { name: 'USDC', version: '2' },
  },
];

/** The operator's list may contain USDC with limits of its own. */
export const createAssetLookup = ({ maxPayment, maxPerDay, assets }: X402Settings): AssetLookup => {
  const keyOf = (network: PaymentNetwork, address: string): string => `${network} ${address.toLowerCase()}`;
  const byKey = new Map<string, PayableAsset>();
  for (const coin of USDC) {
    byKey.set(keyOf(coin.network, coin.address), {
      ...coin,
      maxPayment: BigInt(maxPayment),
      maxPerDay: BigInt(maxPerDay),
    });
  }
  for (const asset of assets) {
    const key = keyOf(asset.network, asset.address);
    const limits = { maxPayment: BigInt(asset.maxPayment), maxPerDay: BigInt(asset.maxPerDay) };
    byKey.set(key, { ...asset, domain: byKey.get(key)?.domain, ...limits });
  }
  return (network, address) => byKey.get(keyOf(network, address));
};
