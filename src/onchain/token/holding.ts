import type { Address } from 'viem';
import type { Database } from '../../db/database.js';
import { selectReceivedTokens } from '../../store/onchain/token.js';
import type { Network, Networks } from '../network.js';
import { type Read, readBounded, WORD_BYTES } from '../rpc/gas-bounded-read.js';
import { balanceCall, readWord } from './contract.js';
import type { ListedToken, TokenLists } from './list.js';
import { NATIVE_ADDRESS, nativeCoin } from './native-coin.js';

/** A token as responses show it. */
export interface Token extends ListedToken {
  readonly network: Network;
  /** Whether it is in a list; true for the native coin. */
  readonly isListed: boolean;
}

/** A positive balance of a wallet. */
export interface TokenHolding {
  /** Lower case. */
  readonly wallet: Address;
  readonly token: Token;
  /** In the smallest unit. */
  readonly amount: bigint;
}

const bare = (address: string): string => address.slice(2);

export const nativeToken = (network: Network, chainId: number): Token => ({
  ...nativeCoin(network),
  network,
  chainId,
  address: NATIVE_ADDRESS,
  imageUrl: null,
  isListed: true,
});

/**
 * Reads the balances of wallets on one network: the native coin, listed tokens, and tokens that the transfer search
 * found. A token that does not report a balance is left out.
 * @param wallets in lower case
 * @throws what the client throws if the chain does not respond
 */
export const readTokenBalances = async (
  deps: { readonly db: Database; readonly networks: Networks; readonly lists: TokenLists },
  network: Network,
  wallets: readonly Address[],
): Promise<TokenHolding[]> => {
  const chainId = deps.networks.chainId(network);
  const listed = deps.lists.of(chainId);
  const received = await selectReceivedTokens(deps.db, chainId, wallets.map(bare));
  const tokens: Token[] = [
    nativeToken(network, chainId),
    ...[...listed.values()].map((token) => ({ ...token, network, isListed: true })),
    ...received.flatMap(({ address, name, symbol, decimals }) => {
      const token = { chainId, address: `0x${address}` as Address, name, symbol, decimals, imageUrl: null };
      return listed.has(token.address) ? [] : [{ ...token, network, isListed: false }];
    }),
  ];
  const questions = wallets.flatMap((wallet) => {
    const data = balanceCall(wallet);
    return tokens.map((token): { wallet: Address; token: Token; read: Read } => ({
      wallet,
      token,
      read: token.address === NATIVE_ADDRESS ? { target: wallet } : { target: token.address, data },
    }));
  });
  const reads = questions.map(({ read }) => read);
  const answers = await readBounded(deps.networks.client(network), reads, WORD_BYTES);
  return questions.flatMap(({ wallet, token }, index) => {
    const amount = readWord(answers[index]);
    return amount === undefined || amount === 0n ? [] : [{ wallet, token, amount }];
  });
};
