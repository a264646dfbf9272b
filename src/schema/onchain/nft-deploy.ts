import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { NftNetwork } from './nft-network.js';

/** 2^48 - 1. */
const UINT48_MAX = 281_474_976_710_655;

/** Returns a new schema each time: the document names a shared object in `components/schemas`. */
const uint48 = (options: { readonly default?: number; readonly description?: string }) =>
  Type.Integer({ minimum: 0, maximum: UINT48_MAX, ...options });

export const NftMintConfig = namedObject('NftMintConfig', {
  end_timestamp: Type.Optional(uint48({ description: 'Unix seconds; no end when absent.' })),
  max_per_tx: Type.Optional(uint48({ default: 0, description: '0 means no limit.' })),
  max_per_wallet: Type.Optional(uint48({ default: 0, description: '0 means no limit.' })),
  price_per_token: Type.Optional(
    Type.String({
      pattern: '^\\d{1,57}$',
      default: '0',
      description: 'Decimal digits, amount in wei; 0 means free.',
    }),
  ),
  start_timestamp: Type.Optional(uint48({ description: 'Unix seconds; now when absent.' })),
});

export const DeployErc721ReqBody = namedObject('DeployErc721ReqBody', {
  description: Type.Optional(Type.String()),
  external_link: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  max_supply: Type.Optional(uint48({ default: 0, description: '0 means unlimited.' })),
  mint_config: Type.Optional(NftMintConfig),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  network: NftNetwork,
  royalty_bps: Type.Optional(
    Type.Integer({ default: 0, minimum: 0, maximum: 2500, description: 'Basis points; 500 is 5 %.' }),
  ),
  royalty_recipient: Type.Optional(EthAddress),
  symbol: Type.String({ minLength: 1, maxLength: 32 }),
});
export type DeployErc721ReqBody = Static<typeof DeployErc721ReqBody>;

export const NftCollection = namedObject('NftCollection', {
  address: EthAddress,
  name: Type.String(),
  network: NftNetwork,
  symbol: Type.String(),
  transaction_hash: Type.String({ pattern: '^0x[a-fA-F0-9]{64}$' }),
  type: stringEnum(['ERC721']),
});

export const DeployErc721Response = namedObject('DeployErc721Response', {
  collection: NftCollection,
  object: stringEnum(['nft_collection']),
});
export type DeployErc721Response = Static<typeof DeployErc721Response>;
