import type { TokenProperties } from '../../onchain/token/metadata.js';
import type { Fungible } from '../../schema/onchain/fungible.js';
import type { Network } from '../../schema/onchain/network.js';

export const viewFungible = ({ token, totalSupply }: Pick<TokenProperties, 'token' | 'totalSupply'>): Fungible => ({
  object: 'fungible',
  network: token.network as Network,
  name: token.name,
  symbol: token.symbol,
  address: token.address,
  decimals: token.decimals,
  total_supply: totalSupply?.toString() ?? null,
  logo: token.imageUrl,
});
