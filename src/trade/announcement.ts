import { randomUUID } from 'node:crypto';
import { bytesToHex } from 'viem';
import type { Reads } from '../cache/read-cache.js';
import type { Database } from '../db/database.js';
import { RETRY_WINDOW_MS } from '../delivery/retry-delay.js';
import { AppError } from '../error.js';
import { hydrateHidden } from '../hydrate/hidden.js';
import { type User, userByFid } from '../hydrate/user.js';
import type { Network, Networks } from '../onchain/network.js';
import { formatDecimal } from '../onchain/token/decimal.js';
import type { TokenMetadata, TokenProperties } from '../onchain/token/metadata.js';
import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { insertEventBodies, upsertDeliveries } from '../store/event/delivery.js';
import { selectTradeWebhooks, type Webhook } from '../store/event/webhook.js';
import { announceTrades, selectUnannouncedTrades, type TradeRow } from '../store/onchain/trade.js';
import { parseRendered } from '../view/json.js';
import { viewUserDehydratedOf } from '../view/user-dehydrated.js';

const TYPE = 'trade.created';
/** Blocks above a trade's: few networks replace more of them, and what was told is not taken back. */
const CONFIRMATIONS = 2;
/** Trades of a network in one transaction. */
const PAGE = 200;

export interface TradeAnnouncementParts {
  readonly db: Database;
  readonly reads: Reads;
  readonly networks: Pick<Networks, 'configured'>;
  readonly tokenMetadata: TokenMetadata;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Called after deliveries were committed. */
  readonly written: () => void;
}

type TradeFilters = NonNullable<WebhookSubscriptionFilters[typeof TYPE]>;

/** All filters must match; a trade of unknown worth has none. */
const matches = (filters: TradeFilters, { fid, usd }: TradeRow, trader: User | undefined): boolean => {
  const { fids, minimum_trader_service_score: score = 0, minimum_token_amount_usdc: amount = 0 } = filters;
  if (fids && fids.length > 0 && !fids.includes(fid)) return false;
  return (trader?.row.score ?? 0) >= score && (amount === 0 || (usd ?? 0) >= amount);
};

const tokenKey = (network: string, address: Uint8Array): string => `${network} ${bytesToHex(address)}`;

/** @returns the body of the event; undefined if a token's contract does not answer any more */
const viewTradeEvent = (
  row: TradeRow,
  trader: User | undefined,
  tokens: ReadonlyMap<string, TokenProperties>,
): string | undefined => {
  const side = (address: Uint8Array, amount: string, decimals: number): object | undefined => {
    const found = tokens.get(tokenKey(row.network, address));
    if (found === undefined) return undefined;
    const { token, totalSupply } = found;
    return {
      object: 'fungible_balance',
      token: {
        object: 'fungible',
        address: token.address,
        decimals,
        symbol: token.symbol,
        name: token.name,
        ...(token.imageUrl !== null && { image_url: token.imageUrl }),
        ...(totalSupply !== undefined && { total_supply: totalSupply.toString() }),
      },
      balance: { in_token: formatDecimal({ digits: BigInt(amount), scale: decimals }), in_usd: row.usd },
    };
  };
  const sending_fungible = side(row.soldToken, row.sold, row.soldDecimals);
  const receiving_fungible = side(row.boughtToken, row.bought, row.boughtDecimals);
  if (!sending_fungible || !receiving_fungible) return undefined;
  const { pool, poolFamily, poolVersion } = row;
  const data = {
    object: 'trade',
    trader: trader ? parseRendered(viewUserDehydratedOf(trader)) : null,
    ...(pool && {
      pool: {
        object: 'pool',
        address: bytesToHex(pool),
        ...(poolFamily !== null && { protocol_family: poolFamily }),
        ...(poolVersion !== null && { protocol_version: poolVersion }),
      },
    }),
    transaction: {
      hash: bytesToHex(row.txHash),
      network: { object: 'network', name: row.network },
      net_transfer: { object: 'net_transfer', sending_fungible, receiving_fungible },
    },
  };
  return JSON.stringify({ type: TYPE, data });
};

/** @returns undefined if the network does not respond */
const readTokens = async (
  tokenMetadata: TokenMetadata,
  trades: readonly TradeRow[],
): Promise<Map<string, TokenProperties> | undefined> => {
  const wanted = new Map(
    trades.flatMap(({ network, soldToken, boughtToken }) =>
      [soldToken, boughtToken].map((address) => [
        tokenKey(network, address),
        { network: network as Network, address: bytesToHex(address) },
      ]),
    ),
  );
  const found = await tokenMetadata.read([...wanted.values()]).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (found === undefined || found.partial.length > 0) return undefined;
  return new Map([...wanted.keys()].flatMap((key, index) => (found.facts[index] ? [[key, found.facts[index]]] : [])));
};

interface Told {
  readonly trade: TradeRow;
  readonly body: string;
  readonly webhooks: readonly Webhook[];
}

/**
 * @param trades of one network
 * @returns those of which somebody is told, undefined if the network does not respond; no app is told of accounts that
 *   it banned
 */
const tradesToTell = async (
  { reads, tokenMetadata }: TradeAnnouncementParts,
  trades: readonly TradeRow[],
  webhooks: readonly Webhook[],
): Promise<Told[] | undefined> => {
  const read = reads.open();
  const fids = [...new Set(trades.map(({ fid }) => fid))];
  const [traders, tokens] = await Promise.all([read.get(userByFid, fids), readTokens(tokenMetadata, trades)]);
  if (tokens === undefined) return undefined;
  const banned = new Map<string, ReadonlySet<number>>();
  for (const appId of new Set(webhooks.map((webhook) => webhook.appId))) {
    banned.set(appId, await hydrateHidden(read, fids, { appId, viewer: null }));
  }
  return trades.flatMap((trade): Told[] => {
    const trader = traders.get(trade.fid);
    const told = webhooks.filter(({ appId, filters }) => {
      const wanted = (filters as WebhookSubscriptionFilters)[TYPE];
      return wanted !== undefined && !banned.get(appId)?.has(trade.fid) && matches(wanted, trade, trader);
    });
    const body = told.length === 0 ? undefined : viewTradeEvent(trade, trader, tokens);
    return body === undefined ? [] : [{ trade, body, webhooks: told }];
  });
};

const announceTradesOf = async (
  parts: TradeAnnouncementParts,
  trades: readonly TradeRow[],
  webhooks: readonly Webhook[],
): Promise<number> => {
  const { db, clock } = parts;
  const told = webhooks.length === 0 ? [] : await tradesToTell(parts, trades, webhooks);
  if (told === undefined) return 0;
  const now = new Date(clock());
  const expiresAt = new Date(now.getTime() + RETRY_WINDOW_MS);
  return db.transaction(async (session) => {
    const marked = await announceTrades(
      session,
      trades.map(({ id }) => id),
    );
    const events = told
      .filter(({ trade }) => marked.has(trade.id))
      .map(({ trade, ...event }) => ({ ...event, logId: -trade.id, part: 0 }));
    const bodies = events.flatMap(({ logId, part, body, webhooks: to }) =>
      [...new Set(to.map(({ dialect }) => dialect))].map((dialect) => ({ logId, part, dialect, body })),
    );
    await insertEventBodies(session, bodies, now);
    const deliveries = events.flatMap(({ logId, part, webhooks: to }) =>
      to.map(({ id }) => ({ id: randomUUID(), webhookId: id, logId, part, type: TYPE })),
    );
    return upsertDeliveries(session, deliveries, { now, expiresAt, repeated: 'keep' });
  });
};

/**
 * Writes deliveries of `trade.created` for trades with two blocks above them, in the transaction that marks these
 * trades: none is told twice. They have no place in the event log; the id of such an event is the trade's, below zero.
 * One process at a time runs it. Trades of a network that does not respond are told later.
 */
export const announceNewTrades = async (parts: TradeAnnouncementParts): Promise<void> => {
  const { db, networks, written } = parts;
  const trades = await selectUnannouncedTrades(db, networks.configured, CONFIRMATIONS, PAGE);
  if (trades.length === 0) return;
  const webhooks = await selectTradeWebhooks(db);
  let count = 0;
  for (const network of new Set(trades.map((trade) => trade.network))) {
    const mine = trades.filter((trade) => trade.network === network);
    count += await announceTradesOf(parts, mine, webhooks);
  }
  if (count > 0) written();
};
