import { type Address, getContractAddress } from 'viem';
import { type Decimal, parseDecimal } from '../token/decimal.js';
import { NATIVE_ADDRESS } from '../native-coin.js';
import { LOCAL_CHAIN_ID } from '../network.js';
import type { KnownTokens } from '../token/service.js';

/** A token that the local chain begins with. */
export interface LocalToken {
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** US dollars for a whole one; undefined: nobody knows. */
  readonly price: string | undefined;
}

/** Deploys the test tokens. Nobody has its key: the local chain lets anybody send as anybody. */
export const LOCAL_TOKEN_MAKER: Address = '0x4c6f63616c20636861696e20746f6b656e730000';

/** Different decimals, prices and the lack of one, so that a wallet shows what there is to get wrong. */
const TOKENS = [
  { name: 'Test Dollar', symbol: 'TUSD', decimals: 6, price: '1' },
  { name: 'Test Gold', symbol: 'TGOLD', decimals: 18, price: '2412.5' },
  { name: 'Test Coin', symbol: 'TCOIN', decimals: 8, price: '64250.25' },
  { name: 'Test Point', symbol: 'TPOINT', decimals: 0, price: '0.005' },
  { name: 'Test Souvenir', symbol: 'TSOUV', decimals: 18, price: undefined },
] as const;

/** In the order in which they are deployed, which decides their addresses. */
export const LOCAL_TOKENS: readonly LocalToken[] = TOKENS.map((token, nonce) => ({
  ...token,
  address: getContractAddress({ from: LOCAL_TOKEN_MAKER, nonce: BigInt(nonce) }),
}));

/** US dollars for an ether of the local chain, which is worth nothing. */
const ETHER_PRICE = '2500';

const lowered = (address: Address): Address => address.toLowerCase() as Address;

/** Names and prices of the local chain's tokens. */
export const LOCAL_KNOWN_TOKENS: KnownTokens = {
  lists: [
    LOCAL_TOKENS.map(({ address, name, symbol, decimals }) => ({
      chainId: LOCAL_CHAIN_ID,
      address: lowered(address),
      name,
      symbol,
      decimals,
      imageUrl: null,
    })),
  ],
  prices: [{ address: NATIVE_ADDRESS, price: ETHER_PRICE }, ...LOCAL_TOKENS].flatMap(({ address, price }) =>
    price === undefined
      ? []
      : [
          {
            chainId: LOCAL_CHAIN_ID,
            address: lowered(address),
            price: { usd: parseDecimal(price) as Decimal, source: null, updatedAt: null },
          },
        ],
  ),
};
