import { formatDecimal } from '../../onchain/token/decimal.js';
import type { TokenProperties } from '../../onchain/token/metadata.js';
import type { Network } from '../../schema/onchain/network.js';
import type { TokenMetadata } from '../../schema/onchain/token-metadata.js';

/** Members that no source provides; they are null, never estimated. */
const UNKNOWN = {
  market_cap: null,
  fdv: null,
  liquidity: null,
  volume_6h: null,
  volume_24h: null,
  price_change_6h_pct: null,
  price_change_24h_pct: null,
  holder_count: null,
  description: null,
};

export const viewTokenMetadata = ({ token, totalSupply, price }: TokenProperties): TokenMetadata => ({
  network: token.network as Network,
  address: token.address,
  name: token.name,
  symbol: token.symbol,
  decimals: token.decimals,
  total_supply: totalSupply?.toString() ?? null,
  image_url: token.imageUrl,
  price_usd: price ? formatDecimal(price.usd) : null,
  ...UNKNOWN,
  price_updated_at: price?.updatedAt ?? null,
  price_source: price?.source ?? null,
});
