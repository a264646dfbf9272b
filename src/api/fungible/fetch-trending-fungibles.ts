import Type from 'typebox';
import { bytesToHex, hexToBytes } from 'viem';
import { formatDecimal, parseDecimal } from '../../onchain/token/decimal.js';
import type { TokenProperties } from '../../onchain/token/metadata.js';
import { quoteAssets } from '../../onchain/trade/asset.js';
import { TIME_WINDOWS, TrendingFungiblesResponse } from '../../schema/onchain/fungible-trade.js';
import { Network } from '../../schema/onchain/network.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectTrendingTokens, type TrendingToken } from '../../store/onchain/trade-list.js';
import { operation } from '../http/operation.js';
import { withPartial } from '../onchain/partial-network.js';
import { openTradeWindow } from './time-window.js';
import { viewFungible } from './view-fungible.js';

const MAX_TOKENS = 50;

/** @returns the price of the sources, else that of the latest trade, as decimal text; undefined: nobody knows one */
const priceOf = ({ price }: TokenProperties, { price: traded }: TrendingToken): string | undefined => {
  const usd = price?.usd ?? (traded === null ? undefined : parseDecimal(String(traded)));
  return usd && usd.digits > 0n ? formatDecimal(usd) : undefined;
};

export const fetchTrendingFungibles = operation({
  id: 'fetch-trending-fungibles',
  path: '/v2/social/fungible/trending/',
  tags: ['Onchain'],
  title: 'List trending tokens',
  summary: 'List tokens that users whose wallets are watched bought, by what they paid in US dollars, at most 50.',
  cost: { fixed: 10 },
  waitsOutside: true,
  query: Type.Object({ network: Network, time_window: stringEnum(TIME_WINDOWS, { default: '24h' }) }),
  parameters: {
    network: { description: 'The network whose tokens are listed.', example: 'base' },
    time_window: { description: 'How far back trades count.' },
  },
  response: TrendingFungiblesResponse,
  errors: [400, 500],
  handle: async ({ query, caller }, services) => {
    const { network, time_window } = query;
    const { since, partial } = await openTradeWindow(services, network, time_window);
    const quotes = [...quoteAssets(network)].map((address) => hexToBytes(address));
    const filter = { since, appId: caller.appId, quotes, limit: MAX_TOKENS };
    const tokens = await selectTrendingTokens(services.db, network, filter);
    const { facts } = await services.tokenMetadata.read(
      tokens.map(({ token }) => ({ network, address: bytesToHex(token) })),
    );
    const trending = tokens.flatMap((token, index) => {
      const found = facts[index];
      if (found === undefined) return [];
      const usd = priceOf(found, token);
      const fungible = { ...viewFungible(found), ...(usd !== undefined && { price: { in_usd: usd } }) };
      return [{ object: 'trending_fungible' as const, fungible }];
    });
    return withPartial({ trending }, partial);
  },
});
