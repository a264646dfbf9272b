import Type from 'typebox';
import { type Address, bytesToHex, hexToBytes, isAddress } from 'viem';
import { AppError, invalidField } from '../../error.js';
import { userByFid } from '../../hydrate/user.js';
import { checkedAddress } from '../../onchain/checked-address.js';
import type { TokenProperties } from '../../onchain/token/metadata.js';
import { assetOf } from '../../onchain/trade/asset.js';
import { EXAMPLE_TOKEN } from '../../schema/example.js';
import { FungibleTradesResponse, TIME_WINDOWS } from '../../schema/onchain/fungible-trade.js';
import { Network } from '../../schema/onchain/network.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectTradesOfToken } from '../../store/onchain/trade-list.js';
import { operation } from '../http/operation.js';
import { withPartial } from '../onchain/partial-network.js';
import { openTradeWindow } from './time-window.js';
import { viewTrade } from './view-trade.js';

const MAX_TRADES = 100;

/** @throws AppError invalid for what is no address */
const tokenOf = (network: Network, text: string): Address => {
  if (!isAddress(text, { strict: false })) throw invalidField('address', 'address must be 0x and 40 hex digits');
  return assetOf(network, checkedAddress(text, 'address'));
};

export const fetchFungibleTrades = operation({
  id: 'fetch-fungible-trades',
  path: '/v2/social/fungible/trades/',
  tags: ['Onchain'],
  title: 'List trades of a token',
  summary: 'List trades of a token by users whose wallets are watched, the latest first, at most 100.',
  cost: { fixed: 20 },
  waitsOutside: true,
  query: Type.Object({
    network: Network,
    address: Type.String(),
    time_window: stringEnum(TIME_WINDOWS, { default: '24h' }),
    min_amount_usd: Type.Optional(
      Type.Number({ description: 'Leaves out smaller trades, and if above 0 those of unknown worth.' }),
    ),
  }),
  parameters: {
    network: { description: 'The network that the token is on.', example: 'base' },
    address: { description: "Contract of the token; 0xeeee…eeee is the network's own coin.", example: EXAMPLE_TOKEN },
    time_window: { description: 'How far back trades are listed.' },
  },
  response: FungibleTradesResponse,
  errors: [400, 500],
  handle: async ({ query, caller }, services) => {
    const { db, reads, tokenMetadata } = services;
    const { network, time_window, min_amount_usd: minUsd = 0 } = query;
    if (!(minUsd >= 0 && Number.isFinite(minUsd))) {
      throw invalidField('min_amount_usd', 'min_amount_usd must be a number of 0 or more');
    }
    const token = tokenOf(network, query.address);
    const { since, partial } = await openTradeWindow(services, network, time_window);
    const filter = { since, appId: caller.appId, minUsd: minUsd > 0 ? minUsd : null, limit: MAX_TRADES };
    const rows = await selectTradesOfToken(db, { network, token: hexToBytes(token) }, filter);
    const addresses = [
      ...new Set(rows.flatMap(({ soldToken, boughtToken }) => [soldToken, boughtToken].map((one) => bytesToHex(one)))),
    ];
    const [{ facts, partial: away }, traders] = await Promise.all([
      tokenMetadata.read(addresses.map((address) => ({ network, address }))),
      reads
        .forDialect('neutral')
        .open()
        .get(
          userByFid,
          rows.map(({ fid }) => fid),
        ),
    ]);
    const tokens = new Map(
      addresses.flatMap((address, index): [string, TokenProperties][] => {
        const found = facts[index];
        return found ? [[address, found]] : [];
      }),
    );
    const trades = rows.flatMap((row) => viewTrade(row, { trader: traders.get(row.fid), tokens }) ?? []);
    if (away.length > 0 && trades.length === 0) {
      throw new AppError(
        'internal',
        'ChainUnavailable',
        `${network} does not answer at the moment. Try again shortly.`,
      );
    }
    return withPartial({ object: 'fungible_trades' as const, trades }, [...new Set([...partial, ...away])]);
  },
});
