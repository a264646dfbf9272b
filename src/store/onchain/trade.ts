import type { Session } from '../../db/statement.js';
import { insertRows, readQuery, writeQuery } from '../query-function.js';
import { type Camel, upsertText, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A trade as it is stored. `sold` and `bought` are digit strings. */
export type TradeRow = Camel<Omit<Tables['trade'], 'is_gone'>>;

export type NewTrade = Camel<Written<Omit<Tables['trade'], 'id' | 'is_gone'>>>;

const COLUMNS = {
  network: 'text',
  tx_hash: 'bytea',
  wallet: 'bytea',
  fid: 'bigint',
  block: 'bigint',
  block_hash: 'bytea',
  at: 'timestamptz',
  sold_token: 'bytea',
  bought_token: 'bytea',
  sold: 'numeric',
  bought: 'numeric',
  sold_decimals: 'smallint',
  bought_decimals: 'smallint',
  usd: 'double precision',
  pool: 'bytea',
  pool_family: 'text',
  pool_version: 'text',
  is_announced: 'boolean',
} as const;

/** The columns of `TradeRow`, of a table `t`. Marked, because the rows of a union have no table. */
export const TRADE_COLUMNS = `t.id as "id!", t.network as "network!", t.tx_hash as "txHash!", t.wallet as "wallet!", t.fid as "fid!",
  t.block as "block!", t.block_hash as "blockHash!", t.at as "at!", t.sold_token as "soldToken!",
  t.bought_token as "boughtToken!", t.sold::text as "sold!", t.bought::text as "bought!",
  t.sold_decimals as "soldDecimals!", t.bought_decimals as "boughtDecimals!", t.usd, t.pool,
  t.pool_family as "poolFamily", t.pool_version as "poolVersion", t.is_announced as "isAnnounced!"`;

/** What a block that replaced another one may change. A worth that was not known may be known by now. */
const CHANGING = ['block', 'block_hash', 'at', 'sold_token', 'bought_token', 'sold', 'bought', 'is_gone'] as const;
const columns = (table: string): string => CHANGING.map((name) => `${table}.${name}`).join(', ');

const upsertTrades = insertRows(
  'upsert_trades',
  'trade',
  COLUMNS,
  `on conflict (network, tx_hash, wallet) do update
      set (${CHANGING.join(', ')}) = (${columns('excluded')}), sold_decimals = excluded.sold_decimals,
          bought_decimals = excluded.bought_decimals, usd = coalesce(excluded.usd, trade.usd), pool = excluded.pool,
          pool_family = excluded.pool_family, pool_version = excluded.pool_version
    where (${columns('trade')}) is distinct from (${columns('excluded')}) or trade.usd is null and excluded.usd is not null`,
).done();

const updateGoneTrades = writeQuery(
  'update_gone_trades',
  `update trade set is_gone = true where network = :network and block between :first and :last and not is_gone
     and not (block_hash || tx_hash) = any(:found::bytea[])`,
).done();

/**
 * Stores the trades of a range of blocks. Stored trades of the range that are not among them were in a block that was
 * replaced: they are marked `is_gone` and kept, because the same transaction is often mined again in another block, and
 * webhooks must not get an event twice.
 */
export const replaceTrades = async (
  session: Session,
  range: { readonly network: string; readonly first: number; readonly last: number },
  trades: readonly NewTrade[],
): Promise<void> => {
  const found = trades.map(({ blockHash, txHash }) => Buffer.concat([blockHash, txHash]));
  await updateGoneTrades(session, { network: range.network, first: range.first, last: range.last, found });
  await upsertTrades(session, trades);
};

export const deleteTrades = writeQuery('delete_trades', 'delete from trade where network = :network').done(
  (network: string) => ({ network }),
);

export const deleteTradesBefore = writeQuery(
  'delete_trades_before',
  'delete from trade where network = any(:networks) and at < :before',
).done((networks: readonly string[], before: Date) => ({ networks, before }));

/**
 * @param depth blocks that must follow the block of a trade before it is in the event log
 * @param limit most trades of each network
 */
export const selectUnannouncedTrades = readQuery(
  'trade_unannounced',
  `select ${TRADE_COLUMNS} from trade_search s
    cross join lateral (select * from trade u where u.network = s.network and not u.is_announced and not u.is_gone
                           and u.block <= s.high - :depth order by u.id limit :limit) t
    where s.network = any(:networks::text[]) order by t.id`,
).rows((networks: readonly string[], depth: number, limit: number) => ({ networks, depth, limit }));

/** Marks trades as announced. @returns the ids that no process had marked before */
export const announceTrades = writeQuery(
  'announce_trades',
  'update trade set is_announced = true where id = any(:ids::bigint[]) and not is_announced returning id',
).columnSet('id', (ids: readonly number[]) => ({ ids }));

/** How far the trades of a network are searched. */
export type TradeSearchRow = Camel<Tables['trade_search']>;

const SEARCH = ['chain_id', 'low', 'low_at', 'low_hash', 'high', 'high_at', 'span', 'refused_at'] as const;

export const selectTradeSearch = readQuery(
  'trade_search_of_network',
  `select network, chain_id as "chainId", low, low_at as "lowAt", low_hash as "lowHash", high, high_at as "highAt", span,
          refused_at as "refusedAt"
     from trade_search where network = :network`,
).first((network: string) => ({ network }));

export const upsertTradeSearch = writeQuery(
  'upsert_trade_search',
  upsertText('trade_search', ['network'], SEARCH),
).done();
