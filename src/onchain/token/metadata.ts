import type { Address } from 'viem';
import { AppError } from '../../error.js';
import { nativeToken, type Token } from './holding.js';
import { NATIVE_ADDRESS } from '../native-coin.js';
import type { Network, Networks } from '../network.js';
import { type Price, type Prices, priceKey } from './price.js';
import { withinTime } from '../time-limit.js';
import { readTokenContracts } from './contract.js';
import type { TokenLists } from './list.js';

export interface TokenQuestion {
  /** Configured. */
  readonly network: Network;
  /** Lower case. */
  readonly address: Address;
}

/** A token with what can be found out about it. */
export interface TokenFacts {
  readonly token: Token;
  /** In the smallest unit; undefined: the contract does not say, or nobody could ask it. */
  readonly totalSupply: bigint | undefined;
  /** Undefined: nobody knows. */
  readonly price: Price | undefined;
}

export interface TokenReading {
  /** For each question, in order; undefined where no ERC-20 token is. */
  readonly facts: readonly (TokenFacts | undefined)[];
  /** Networks that did not answer: of their tokens only listed ones are known. */
  readonly partial: readonly Network[];
}

/** Finds out about tokens. */
export interface TokenMetadata {
  /** @throws AppError internal with code `ChainUnavailable` when none of the networks answers. */
  read(questions: readonly TokenQuestion[]): Promise<TokenReading>;
}

/** With the three seconds of prices it stays within a request's ten. */
const NETWORK_TIMEOUT_MS = 5000;

type Found = Pick<TokenFacts, 'token' | 'totalSupply'>;

export const createTokenMetadata = (parts: {
  readonly networks: Networks;
  readonly lists: TokenLists;
  readonly prices: Prices;
  /** Told of a network that did not answer. */
  readonly failed: (network: Network, error: unknown) => void;
}): TokenMetadata => {
  const { networks, lists, prices, failed } = parts;

  const readNetwork = async (network: Network, addresses: readonly Address[]) => {
    const chainId = networks.chainId(network);
    const listed = lists.of(chainId);
    const work = readTokenContracts(networks.client(network), addresses, (address) => !listed.has(address));
    const isAway = await withinTime(work, NETWORK_TIMEOUT_MS).then(
      () => false,
      (error: unknown) => {
        failed(network, error);
        return true;
      },
    );
    const contracts = isAway ? [] : await work;
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
    return { network, isAway, found };
  };

  return {
    read: async (questions) => {
      const contracts = questions.filter(({ address }) => address !== NATIVE_ADDRESS);
      const asked = [...new Set(contracts.map(({ network }) => network))];
      const readings = await Promise.all(
        asked.map((network) => {
          const mine = contracts.filter((question) => question.network === network);
          return readNetwork(network, [...new Set(mine.map(({ address }) => address))]);
        }),
      );
      const partial = readings.filter(({ isAway }) => isAway).map(({ network }) => network);
      if (asked.length > 0 && partial.length === asked.length && contracts.length === questions.length) {
        const message = `None of the networks asked for answers at the moment (${asked.join(', ')}). Try again shortly.`;
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
