import { type Address, getContractAddress } from 'viem';
import { LOCAL_CHAIN_ID } from '../network.js';
import { type Decimal, parseDecimal } from '../token/decimal.js';
import { NATIVE_ADDRESS } from '../token/native-coin.js';
import type { KnownTokens } from '../token/service.js';

/** A token of a new local chain. */
export interface LocalToken {
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** US dollars for one whole token; undefined: no price. */
  readonly price: string | undefined;
}

/** Deployer of the test tokens, and owner of the registry contracts. It needs no key, because the local chain accepts transactions from any sender. */
export const LOCAL_TOKEN_DEPLOYER: Address = '0x4c6f63616c20636861696e20746f6b656e730000';

/** Different decimals, with and without a price, to cover the special cases of a wallet view. */
const TOKENS = [
  { name: 'Test Dollar', symbol: 'TUSD', decimals: 6, price: '1' },
  { name: 'Test Gold', symbol: 'TGOLD', decimals: 18, price: '2412.5' },
  { name: 'Test Coin', symbol: 'TCOIN', decimals: 8, price: '64250.25' },
  { name: 'Test Point', symbol: 'TPOINT', decimals: 0, price: '0.005' },
  { name: 'Test Souvenir', symbol: 'TSOUV', decimals: 18, price: undefined },
] as const;

/** In the order of deployment, which decides their addresses. */
export const LOCAL_TOKENS: readonly LocalToken[] = TOKENS.map((token, nonce) => ({
  ...token,
  address: getContractAddress({ from: LOCAL_TOKEN_DEPLOYER, nonce: BigInt(nonce) }),
}));

/** US dollars for an ether of the local chain. */
export const LOCAL_ETHER_PRICE = '2500';

const lowered = (address: Address): Address => address.toLowerCase() as Address;

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
  prices: [{ address: NATIVE_ADDRESS, price: LOCAL_ETHER_PRICE }, ...LOCAL_TOKENS].flatMap(({ address, price }) =>
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
