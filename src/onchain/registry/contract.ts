import {
  BUNDLER_ADDRESS,
  bundlerABI,
  ID_GATEWAY_ADDRESS,
  ID_REGISTRY_ADDRESS,
  idGatewayABI,
  idRegistryABI,
  KEY_GATEWAY_ADDRESS,
  KEY_REGISTRY_ADDRESS,
  keyGatewayABI,
  keyRegistryABI,
  STORAGE_REGISTRY_ADDRESS,
  storageRegistryABI,
} from '@farcaster/core';
import { type Address, getAddress } from 'viem';
import { AppError } from '../../error.js';
import type { ChainClient, Network, Networks } from '../network.js';

/** The contracts of accounts, keys and storage are on OP Mainnet. */
export const REGISTRY_NETWORK: Network = 'optimism';

/** They are at these addresses (https://docs.farcaster.xyz/reference/contracts/deployments, @farcaster/core). */
export const idRegistry = { address: getAddress(ID_REGISTRY_ADDRESS), abi: idRegistryABI } as const;
export const idGateway = { address: getAddress(ID_GATEWAY_ADDRESS), abi: idGatewayABI } as const;
export const keyRegistry = { address: getAddress(KEY_REGISTRY_ADDRESS), abi: keyRegistryABI } as const;
export const keyGateway = { address: getAddress(KEY_GATEWAY_ADDRESS), abi: keyGatewayABI } as const;
export const storageRegistry = { address: getAddress(STORAGE_REGISTRY_ADDRESS), abi: storageRegistryABI } as const;
export const bundler = { address: getAddress(BUNDLER_ADDRESS), abi: bundlerABI } as const;

/** Addresses whose events concern accounts. */
export const REGISTRY_ADDRESSES: readonly Address[] = [
  idRegistry.address,
  keyRegistry.address,
  storageRegistry.address,
];

/** @throws AppError 'not_implemented' if OP Mainnet is not configured */
export const registryClient = (networks: Networks): ChainClient => {
  if (networks.configured.includes(REGISTRY_NETWORK)) return networks.client(REGISTRY_NETWORK);
  const message =
    'Accounts and storage are bought on OP Mainnet, which is not configured here: the operator has to set CASTELLAN_RPC_OPTIMISM to the address of an endpoint.';
  throw new AppError('not_implemented', 'NotImplemented', message);
};
