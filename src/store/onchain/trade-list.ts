import type { Reader } from '../../db/statement.js';
import { accountExists } from '../query/account-exists.js';
import { readQuery } from '../query-function.js';
import { visibleTo } from '../visibility.js';
import { TRADE_COLUMNS } from './trade.js';

/** Whether the trader still has the wallet. `offset 0` keeps it a look at one key, as in `visibleTo`. */
const SHOWN = `
  exists (select from address_owner o where o.address = t.wallet and o.role = 1 and o.fid = t.fid offset 0)
  and exists (select from account a where a.fid = t.fid and ${accountExists('a')} offset 0)`;

/** Trades of unknown worth are below every minimum. */
const WORTH = '(:minUsd?::double precision is null or usd >= :minUsd?)';

/** Newest trades in each direction that are looked at for a response. */
const LOOKED_AT = 1000;

/**
 * Trades in which a token was bought or sold, the latest first. Traders that lost the wallet, and those hidden from the
 * app, are left out.
 * @param token 20 bytes
 * @param filter `minUsd` null: trades of unknown worth, too
 */
export const selectTradesOfToken = readQuery(
  'trade_of_token',
  `select ${TRADE_COLUMNS}
     from (select * from (select * from trade where network = :network and bought_token = :token and at >= :since and not is_gone
                                                                and ${WORTH}
                           order by at desc limit :lookedAt) b
           union
           select * from (select * from trade where network = :network and sold_token = :token and at >= :since and not is_gone
                                                                and ${WORTH}
                           order by at desc limit :lookedAt) s) t
    where ${SHOWN} and ${visibleTo('t.fid', 'null', ':appId')}
    order by t.at desc, t.id desc limit :limit`,
).rows(
  (
    { network, token }: { readonly network: string; readonly token: Uint8Array },
    filter: { readonly since: Date; readonly appId: string; readonly minUsd: number | null; readonly limit: number },
  ) => ({
    network,
    token,
    since: filter.since,
    appId: filter.appId,
    minUsd: filter.minUsd,
    lookedAt: LOOKED_AT,
    limit: filter.limit,
  }),
);

/** A token that watched wallets bought. */
export interface TrendingToken {
  readonly token: Buffer;
  /** US dollars for a whole token in the latest trade of known worth; null: there is none. */
  readonly price: number | null;
}

/**
 * Tokens that watched wallets bought, by the sum of the known worth of these trades, then by their number. Traders are
 * left out as in `selectTradesOfToken`.
 * @param filter `quotes`: assets with which one pays: getting them is no buying
 */
export const selectTrendingTokens = readQuery(
  'trade_trending',
  `select t.bought_token as token,
          (array_agg(t.usd / (t.bought / 10::numeric ^ t.bought_decimals)::double precision order by t.at desc)
             filter (where t.usd is not null))[1] as price
     from trade t
    where t.network = :network and t.at >= :since and not t.is_gone and not t.bought_token = any(:quotes::bytea[])
      and ${SHOWN} and ${visibleTo('t.fid', 'null', ':appId')}
    group by t.bought_token
    order by sum(t.usd) desc nulls last, count(*) desc, t.bought_token limit :limit`,
).rows(
  (
    network: string,
    filter: {
      readonly since: Date;
      readonly appId: string;
      readonly quotes: readonly Uint8Array[];
      readonly limit: number;
    },
  ) => ({ network, since: filter.since, quotes: filter.quotes, appId: filter.appId, limit: filter.limit }),
);

const watchedWallets = readQuery(
  'trade_watched_wallet',
  `select a.fid, v.item ->> 1 as "address!"
     from (select fid, verifications from account
            where verifications is not null and ${accountExists('account')}
            order by score desc, fid limit :limit) a
    cross join lateral jsonb_array_elements(a.verifications::jsonb) with ordinality v (item, n)
    where v.item ->> 0 = '0'
    limit :limit`,
).rows();

/**
 * @param limit of wallets
 * @returns verified Ethereum addresses (hex without 0x) of the accounts with the highest scores, with their accounts
 */
export const selectWatchedWallets = async (db: Reader, limit: number): Promise<Map<string, number>> => {
  const wallets = new Map<string, number>();
  for (const { fid, address } of await watchedWallets(db, { limit })) {
    if (!wallets.has(address)) wallets.set(address, fid);
  }
  return wallets;
};
