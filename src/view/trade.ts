import type { EventPage } from '../hydrate/event.js';
import type { TradedToken, TradeEvent } from '../protocol/event/social-event.js';
import { renderJson } from './json.js';
import { viewUserDehydrated } from './user-dehydrated.js';

const viewSide = (
  { address, decimals, symbol, name, imageUrl, totalSupply, amount }: TradedToken,
  usd: number | null,
) => ({
  object: 'fungible_balance',
  token: {
    object: 'fungible',
    address,
    decimals,
    symbol,
    name,
    ...(imageUrl !== null && { image_url: imageUrl }),
    ...(totalSupply !== null && { total_supply: totalSupply }),
  },
  balance: { in_token: amount, in_usd: usd },
});

/** @returns `data` of the contract's `WebhookTradeEvent` */
export const viewTrade = ({ fid, network, txHash, sold, bought, usd, pool }: TradeEvent, page: EventPage): string => {
  const transaction = {
    hash: txHash,
    network: { object: 'network', name: network },
    net_transfer: {
      object: 'net_transfer',
      sending_fungible: viewSide(sold, usd),
      receiving_fungible: viewSide(bought, usd),
    },
  };
  const viewedPool = pool && {
    object: 'pool',
    address: pool.address,
    ...(pool.family !== null && { protocol_family: pool.family }),
    ...(pool.version !== null && { protocol_version: pool.version }),
  };
  return (
    `{"object":"trade","trader":${viewUserDehydrated(fid, page.users)},` +
    `${viewedPool === null ? '' : `"pool":${renderJson(viewedPool)},`}"transaction":${renderJson(transaction)}}`
  );
};
