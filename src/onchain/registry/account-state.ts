import type { Address } from 'viem';
import type { ChainClient } from '../network.js';
import { bundler, idGateway, idRegistry, keyGateway, storageRegistry } from './contract.js';

/** What the contracts know about an address. */
export interface AddressState {
  /** The account in its custody; undefined: none. */
  readonly fid: number | undefined;
  /** Nonce of its next signed `Register`. */
  readonly registerNonce: bigint;
  /** Nonce of its next signed `Transfer`. */
  readonly transferNonce: bigint;
  /** Nonce of its next signed `Add`. */
  readonly addKeyNonce: bigint;
}

/** @throws what the client throws */
export const readAddressState = async (client: ChainClient, address: Address): Promise<AddressState> => {
  const [fid, registerNonce, transferNonce, addKeyNonce] = await Promise.all([
    client.readContract({ ...idRegistry, functionName: 'idOf', args: [address] }),
    client.readContract({ ...idGateway, functionName: 'nonces', args: [address] }),
    client.readContract({ ...idRegistry, functionName: 'nonces', args: [address] }),
    client.readContract({ ...keyGateway, functionName: 'nonces', args: [address] }),
  ]);
  return { fid: fid === 0n ? undefined : Number(fid), registerNonce, transferNonce, addKeyNonce };
};

const NOBODY = /^0x0+$/;

/** @returns whether the account is registered */
export const isRegistered = async (client: ChainClient, fid: number): Promise<boolean> =>
  !NOBODY.test(await client.readContract({ ...idRegistry, functionName: 'custodyOf', args: [BigInt(fid)] }));

/** @returns wei for units of storage for a year */
export const readRentPrice = (client: ChainClient, units: number): Promise<bigint> =>
  client.readContract({ ...storageRegistry, functionName: 'price', args: [BigInt(units)] });

/** @returns wei for an account with a unit of storage, and this many more */
export const readRegistrationPrice = (client: ChainClient, extraUnits: number): Promise<bigint> =>
  client.readContract({ ...bundler, functionName: 'price', args: [BigInt(extraUnits)] });

/**
 * Prices follow the price of ether until the transaction is mined. The contracts return what is too much.
 * @returns two percent more
 */
export const withPriceMargin = (wei: bigint): bigint => wei + wei / 50n;
