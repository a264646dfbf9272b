import { randomUUID } from 'node:crypto';
import { type Address, encodeFunctionData, getAddress, hexToBytes, size, slice } from 'viem';
import type { Database } from '../../db/database.js';
import { AppError } from '../../error.js';
import { insertCollection } from '../../store/onchain/collection.js';
import { seriesCollectionAbi as abi } from '../artifact/series-collection.js';
import type { ChainClient, Network } from '../network.js';
import type { UsableWallet } from '../transaction/wallet.js';
import { findCollection } from './collection.js';
import { type Minted, noContract } from './mint.js';
import { revertOf } from './simulation-revert.js';

const WORD_BYTES = 32;
const ADDRESS_AT = 12;

const readOwner = async (client: ChainClient, contract: Address): Promise<Address | undefined> => {
  try {
    const { data } = await client.call({ to: contract, data: encodeFunctionData({ abi, functionName: 'owner' }) });
    return data !== undefined && size(data) === WORD_BYTES ? getAddress(slice(data, ADDRESS_AT)) : undefined;
  } catch (error) {
    if (revertOf(error) === undefined) throw error;
    return undefined;
  }
};

/**
 * @throws AppError not_found for an address without code, forbidden if the contract has another owner or no `owner()`
 */
export const requireOwner = async (client: ChainClient, minted: Minted, { address }: UsableWallet): Promise<void> => {
  const { contract, network, property } = minted;
  const [code, owner] = await Promise.all([client.getCode({ address: contract }), readOwner(client, contract)]);
  if (code === undefined) throw noContract(minted);
  if (owner === address) return;
  const who = owner === undefined ? 'it does not say who does (owner())' : `${owner} does`;
  const message = `The wallet ${address} does not own the contract ${contract} on ${network}: ${who}.`;
  throw new AppError('forbidden', 'Forbidden', message, { property });
};

/**
 * Inserts a collection of another service on first use.
 * @returns the id under which the metadata of the collection is stored
 */
export const ensureCollection = async (
  { db, clock }: { readonly db: Database; readonly clock: () => number },
  place: {
    readonly network: Network;
    readonly address: Address;
    readonly organizationId: string;
    readonly wallet: UsableWallet;
  },
): Promise<string> => {
  const { network, address, organizationId, wallet } = place;
  const known = await findCollection(db, network, address);
  if (known) return known.id;
  const id = randomUUID();
  const createdAt = new Date(clock());
  const row = { id, network, organizationId, walletId: wallet.id, address: hexToBytes(address), config: {}, createdAt };
  if (await insertCollection(db, row)) return id;
  const other = await findCollection(db, network, address);
  if (!other) throw new Error(`the collection at ${address} is gone`);
  return other.id;
};
