import type { Address } from 'viem';
import { AppError } from '../../error.js';
import { withTimeout } from '../../timeout.js';
import type { Network } from '../network.js';
import type { BalanceDependencies } from './balance.js';
import { readTokenContracts } from './contract.js';
import { nativeToken, type Token } from './holding.js';
import { NATIVE_ADDRESS } from './native-coin.js';
import { type Price, priceKey } from './price.js';

export interface TokenQuery {
  /** A configured network. */
  readonly network: Network;
  /** Lower case. */
  readonly address: Address;
}

/** A token with the data of its contract and its price. */
export interface TokenProperties {
  readonly token: Token;
  /** In the smallest unit; undefined if the contract does not report it, or its network did not respond. */
  readonly totalSupply: bigint | undefined;
  /** Undefined if unknown. */
  readonly price: Price | undefined;
}

export interface TokenMetadataResult {
  /** In the order of the queries; undefined for what is not an ERC-20 token. */
  readonly facts: readonly (TokenProperties | undefined)[];
  /** Networks that did not respond; only listed tokens of theirs are included. */
  readonly partial: readonly Network[];
}

export type TokenMetadata = ReturnType<typeof createTokenMetadata>;

type Found = Pick<TokenProperties, 'token' | 'totalSupply'>;

export const createTokenMetadata = (dependencies: Omit<BalanceDependencies, 'db' | 'clock'>) => {
  const { networks, lists, prices, failed, networkTimeoutMs } = dependencies;

  const readNetwork = async (network: Network, addresses: readonly Address[]) => {
    const chainId = networks.chainId(network);
    const listed = lists.of(chainId);
    const work = readTokenContracts(networks.client(network), addresses, (address) => !listed.has(address));
    const isUnavailable = await withTimeout(work, networkTimeoutMs).then(
      () => false,
      (error: unknown) => {
        failed(network, error);
        return true;
      },
    );
    const contracts = isUnavailable ? [] : await work;
    const found = new Map<Address, Found>();
    for (const [index, address] of addresses.entries()) {
      const contract = contracts[index];
      const known = listed.get(address);
      const { name, symbol, decimals } = known ?? contract ?? {};
      if (name === undefined || symbol === undefined || decimals === undefined) continue;
      const imageUrl = known?.imageUrl ?? null;
      const token = { chainId, address, name, symbol, decimals, imageUrl, network, isListed: known !== undefined };
      found.set(address, { token, totalSupply: contract?.totalSupply });
    }
    return { network, isUnavailable, found };
  };

  return {
    /** @throws AppError internal with code `ChainUnavailable` if none of the networks responds */
    read: async (questions: readonly TokenQuery[]): Promise<TokenMetadataResult> => {
      const contracts = questions.filter(({ address }) => address !== NATIVE_ADDRESS);
      const requested = [...new Set(contracts.map(({ network }) => network))];
      const readings = await Promise.all(
        requested.map((network) => {
          const mine = contracts.filter((question) => question.network === network);
          return readNetwork(network, [...new Set(mine.map(({ address }) => address))]);
        }),
      );
      const partial = readings.filter(({ isUnavailable }) => isUnavailable).map(({ network }) => network);
      if (requested.length > 0 && partial.length === requested.length && contracts.length === questions.length) {
        const message = `None of the networks asked for answers at the moment (${requested.join(', ')}). Try again shortly.`;
        throw new AppError('internal', 'ChainUnavailable', message);
      }
      const byNetwork = new Map(readings.map(({ network, found }) => [network, found]));
      const found = questions.map(({ network, address }): Found | undefined =>
        address === NATIVE_ADDRESS
          ? { token: nativeToken(network, networks.chainId(network)), totalSupply: undefined }
          : byNetwork.get(network)?.get(address),
      );
      const known = await prices.of(found.flatMap((one) => one?.token ?? []));
      return { facts: found.map((one) => one && { ...one, price: known.get(priceKey(one.token)) }), partial };
    },
  };
};
