import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { Network } from './network.js';

const text = (description: string) => nullable(Type.String({ description }));

/** All members are required; those without a source are null. */
export const TokenMetadata = namedObject('TokenMetadata', {
  network: Network,
  address: EthAddress,
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Integer(),
  total_supply: text('Integer amount in the smallest unit.'),
  image_url: nullable(Type.String()),
  price_usd: text('Decimal text.'),
  market_cap: nullable(Type.String()),
  fdv: nullable(Type.String()),
  liquidity: nullable(Type.String()),
  volume_6h: nullable(Type.String()),
  volume_24h: nullable(Type.String()),
  price_change_6h_pct: nullable(Type.Number()),
  price_change_24h_pct: nullable(Type.Number()),
  holder_count: nullable(Type.Integer()),
  description: nullable(Type.String()),
  price_updated_at: nullable(Type.Integer({ description: 'Unix milliseconds.' })),
  price_source: Type.Unsafe<'onchain' | 'market_data' | null>({
    type: ['string', 'null'],
    enum: ['onchain', 'market_data', null],
  }),
});
export type TokenMetadata = Static<typeof TokenMetadata>;

export const TokenMetadataResponse = namedObject('TokenMetadataResponse', { token: TokenMetadata });

export const TokenMetadataBatchResponse = namedObject('TokenMetadataBatchResponse', {
  tokens: Type.Array(nullable(TokenMetadata)),
});
