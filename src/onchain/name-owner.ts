import { type Address, BaseError, namehash, parseAbi, zeroAddress } from 'viem';
import { AppError } from '../error.js';
import { withTimeout } from '../timeout.js';
import type { ChainClient } from './network.js';

/**
 * Registries of names (ERC-137): of ENS on Ethereum (https://docs.ens.domains/learn/deployments), and of Basenames on Base
 * (https://github.com/base/basenames).
 */
export const NAME_REGISTRIES = {
  ethereum: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e',
  base: '0xB94704422c2a1E396835A571837Aa5AE53285a95',
} as const satisfies Record<string, Address>;

export type NameNetwork = keyof typeof NAME_REGISTRIES;

const TIMEOUT_MS = 4000;

const registryAbi = parseAbi(['function resolver(bytes32 node) view returns (address)']);
const resolverAbi = parseAbi(['function addr(bytes32 node) view returns (address)']);

const unavailable = (cause: unknown): AppError => {
  const message = 'The network of the name does not answer at the moment. Try again shortly.';
  return new AppError('internal', 'ChainUnavailable', message, { cause });
};

const resolve = async (client: ChainClient, registry: Address, name: string): Promise<Address> => {
  const args = [namehash(name)] as const;
  const resolver = await client.readContract({ address: registry, abi: registryAbi, functionName: 'resolver', args });
  if (resolver === zeroAddress) return zeroAddress;
  return client.readContract({ address: resolver, abi: resolverAbi, functionName: 'addr', args });
};

/**
 * Asks the registry for the resolver of a name, and the resolver for its address, with two eth_call, as hubs do. viem's
 * `getEnsAddress` also finds what resolvers answer for all names below theirs, or fetch from elsewhere; hubs do not.
 * @param name in lower case ASCII, which needs no normalization
 * @returns the address of the name; undefined if it has none
 * @throws AppError if no endpoint responds in time
 * @source snapchain 0.14.2, `resolve_ens_name` (`connectors/onchain_events/mod.rs`)
 */
export const addressOfName = async (
  client: ChainClient,
  network: NameNetwork,
  name: string,
): Promise<Address | undefined> => {
  try {
    const address = await withTimeout(resolve(client, NAME_REGISTRIES[network], name), TIMEOUT_MS);
    return address === zeroAddress ? undefined : address;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // If viem alone fails, the chain ran the call: a contract reverted, or returned no address. It also wraps the errors
    // of the language, which an endpoint causes by results that are no bytes.
    const isOfLanguage = (cause: unknown): boolean => cause instanceof Error && !(cause instanceof BaseError);
    const isGarbled = !(error instanceof BaseError) || error.walk(isOfLanguage) !== null;
    if (!isGarbled) return undefined;
    throw unavailable(error);
  }
};
