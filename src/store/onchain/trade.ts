import { bulkInsert, executeRows } from '../../db/bulk-statement.js';
import { execute, type Reader, type Session, sql, statement } from '../../db/statement.js';
import { type Camel, first, type Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A trade as it is stored. `sold` and `bought` are digit strings. */
export type TradeRow = Camel<Tables['trade']>;

export type NewTrade = Camel<Written<Omit<Tables['trade'], 'id'>>>;

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

/** The columns of `TradeRow`, of a table `t`. */
export const TRADE_COLUMNS = `t.id, t.network, t.tx_hash as "txHash", t.wallet, t.fid, t.block, t.block_hash as "blockHash", t.at,
  t.sold_token as "soldToken", t.bought_token as "boughtToken", t.sold::text, t.bought::text,
  t.sold_decimals as "soldDecimals", t.bought_decimals as "boughtDecimals", t.usd, t.pool,
  t.pool_family as "poolFamily", t.pool_version as "poolVersion", t.is_announced as "isAnnounced"`;

const insertTradesSql = bulkInsert(
  'insert_trades',
  'trade',
  COLUMNS,
  'on conflict (network, tx_hash, wallet) do nothing',
);

const deleteReplacedTradesSql = sql(
  'delete_replaced_trades',
  `delete from trade where network = $1 and block between $2 and $3
     and not (block_hash || tx_hash) = any($4::bytea[])`,
);

/**
 * Stores the trades of a range of blocks. What was stored of the range before and is not among them is deleted: its
 * block was replaced.
 */
export const replaceTrades = async (
  session: Session,
  range: { readonly network: string; readonly first: number; readonly last: number },
  trades: readonly NewTrade[],
): Promise<void> => {
  const found = trades.map(({ blockHash, txHash }) => Buffer.concat([blockHash, txHash]));
  await execute(session, deleteReplacedTradesSql, [range.network, range.first, range.last, found]);
  await executeRows(session, insertTradesSql, trades);
};

const deleteTradesBeforeSql = sql('delete_trades_before', 'delete from trade where network = $1 and at < $2');

export const deleteTradesBefore = (session: Session, network: string, before: Date): Promise<void> =>
  execute(session, deleteTradesBeforeSql, [network, before]);

/** A token that watched wallets bought. */
export interface TrendingToken {
  readonly token: Buffer;
  /** US dollars for a whole token in the latest trade of known worth; null: there is none. */
  readonly price: number | null;
}

const trendingTokens = statement<TrendingToken>(
  'trade_trending',
  `select t.bought_token as token,
          (array_agg(t.usd / (t.bought / 10::numeric ^ t.bought_decimals)::double precision order by t.at desc)
             filter (where t.usd is not null))[1] as price
     from trade t
    where t.network = $1 and t.at >= $2 and not t.bought_token = any($3::bytea[])
    group by t.bought_token
    order by sum(t.usd) desc nulls last, count(*) desc, t.bought_token limit $4`,
);

/**
 * Tokens that watched wallets bought, by the sum of the known worth of these trades, then by their number.
 * @param quotes assets with which one pays: getting them is no buying
 */
export const selectTrendingTokens = (
  db: Reader,
  network: string,
  since: Date,
  quotes: readonly Uint8Array[],
  limit: number,
): Promise<TrendingToken[]> => db.read(trendingTokens, [network, since, quotes, limit]);

const unannouncedTrades = statement<TradeRow>(
  'trade_unannounced',
  `select ${TRADE_COLUMNS} from trade t join trade_search s on s.network = t.network
    where not t.is_announced and t.block <= s.high - $1 order by t.id limit $2`,
);

/** @param depth blocks above a trade's, after which it is told */
export const selectUnannouncedTrades = (db: Reader, depth: number, limit: number): Promise<TradeRow[]> =>
  db.read(unannouncedTrades, [depth, limit]);

const announceTradesSql = sql<{ id: number }>(
  'announce_trades',
  'update trade set is_announced = true where id = any($1::bigint[]) and not is_announced returning id',
);

/** Marks trades of which webhooks are told. @returns the ids that no process had marked before */
export const announceTrades = async (session: Session, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set((await session.run(announceTradesSql, [ids])).map(({ id }) => id));

/** How far the trades of a network are searched. */
export type TradeSearchRow = Camel<Tables['trade_search']>;

const SEARCH = ['network', 'chain_id', 'low', 'low_at', 'high', 'high_at', 'span', 'refused_at'] as const;

const tradeSearch = statement<TradeSearchRow>(
  'trade_search_of_network',
  `select network, chain_id as "chainId", low, low_at as "lowAt", high, high_at as "highAt", span,
          refused_at as "refusedAt"
     from trade_search where network = $1`,
);

export const selectTradeSearch = (db: Reader, network: string): Promise<TradeSearchRow | undefined> =>
  first(db.read(tradeSearch, [network]));

const upsertTradeSearchSql = sql(
  'upsert_trade_search',
  `insert into trade_search (${SEARCH.join(', ')}) values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (network) do update set ${SEARCH.slice(1)
     .map((name) => `${name} = excluded.${name}`)
     .join(', ')}`,
);

export const upsertTradeSearch = (session: Session, row: TradeSearchRow): Promise<void> =>
  execute(session, upsertTradeSearchSql, [
    row.network,
    row.chainId,
    row.low,
    row.lowAt,
    row.high,
    row.highAt,
    row.span,
    row.refusedAt,
  ]);
