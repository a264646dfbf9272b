import { type Address, type Hex, hashTypedData } from 'viem';
import { PUBLIC_CHAINS } from '../network.js';
import type { DomainName, PaymentNetwork } from './asset.js';

/** Members of an authorization as EIP-3009 names them. Times are Unix seconds. */
export interface Authorization {
  readonly from: Address;
  readonly to: Address;
  /** In the smallest unit. */
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes. */
  readonly nonce: Hex;
}

/** Where an authorization is valid. */
export interface PaymentDomain extends DomainName {
  readonly network: PaymentNetwork;
  /** The contract of the token. */
  readonly asset: Address;
}

/** `TransferWithAuthorization` of https://eips.ethereum.org/EIPS/eip-3009. */
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** @returns the EIP-712 domain. The chain id is always the public one, also where a local chain stands for the network. */
export const eip712DomainOf = ({ name, version, network, asset }: PaymentDomain) =>
  ({ name, version, chainId: PUBLIC_CHAINS[network].id, verifyingContract: asset }) as const;

/** @returns the hash that is signed (EIP-712) */
export const hashAuthorization = (domain: PaymentDomain, message: Authorization): Hex =>
  hashTypedData({ domain: eip712DomainOf(domain), types, primaryType: 'TransferWithAuthorization', message });
