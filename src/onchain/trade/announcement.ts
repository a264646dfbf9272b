import { bytesToHex, type Hex } from 'viem';
import type { Database } from '../../db/database.js';
import { AppError } from '../../error.js';
import { encodeTrade, TRADE_ROW } from '../../protocol/event/decode.js';
import type { TradedToken } from '../../protocol/event/social-event.js';
import { type HubEventRow, insertHubEvents, lockIngest } from '../../store/change.js';
import { announceTrades, selectUnannouncedTrades, type TradeRow } from '../../store/onchain/trade.js';
import type { Network, Networks } from '../network.js';
import { formatDecimal } from '../token/decimal.js';
import type { TokenMetadata, TokenProperties } from '../token/metadata.js';

/** Blocks above a trade's: few networks replace more of them, and an event is not taken back. */
const CONFIRMATIONS = 2;
/** Trades of a network in one transaction. */
const PAGE = 200;

type Tokens = ReadonlyMap<Hex, TokenProperties>;

/** @returns the tokens of the trades; undefined if the network does not respond */
const readTokens = async (
  tokenMetadata: TokenMetadata,
  network: Network,
  trades: readonly TradeRow[],
): Promise<Tokens | undefined> => {
  const contracts = trades.flatMap(({ soldToken, boughtToken }) => [soldToken, boughtToken]);
  const addresses = [...new Set(contracts.map((contract) => bytesToHex(contract)))];
  const found = await tokenMetadata.read(addresses.map((address) => ({ network, address }))).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (found === undefined || found.partial.length > 0) return undefined;
  return new Map(addresses.flatMap((address, index) => (found.facts[index] ? [[address, found.facts[index]]] : [])));
};

const tradedToken = (
  { token, totalSupply }: TokenProperties,
  side: { readonly amount: string; readonly decimals: number },
): TradedToken => ({
  address: token.address,
  name: token.name,
  symbol: token.symbol,
  decimals: side.decimals,
  imageUrl: token.imageUrl,
  totalSupply: totalSupply?.toString() ?? null,
  amount: formatDecimal({ digits: BigInt(side.amount), scale: side.decimals }),
});

/** @returns the row of the event log; undefined if a token's contract does not answer any more */
const logRow = (trade: TradeRow, tokens: Tokens): HubEventRow | undefined => {
  const [sold, bought] = [tokens.get(bytesToHex(trade.soldToken)), tokens.get(bytesToHex(trade.boughtToken))];
  if (sold === undefined || bought === undefined) return undefined;
  const { fid, network, usd, pool, poolFamily: family, poolVersion: version } = trade;
  const body = encodeTrade({
    network,
    txHash: bytesToHex(trade.txHash),
    sold: tradedToken(sold, { amount: trade.sold, decimals: trade.soldDecimals }),
    bought: tradedToken(bought, { amount: trade.bought, decimals: trade.boughtDecimals }),
    usd,
    pool: pool && { address: bytesToHex(pool), family, version },
  });
  return { fid, type: TRADE_ROW, body };
};

/**
 * Writes trades with two blocks above them into the event log, in the transaction that marks them: none is there twice.
 * One process at a time runs it. Trades of a network that does not respond are written later.
 * @returns whether some were written
 */
export const announceNewTrades = async ({
  db,
  networks,
  tokenMetadata,
}: {
  readonly db: Database;
  readonly networks: Pick<Networks, 'configured'>;
  readonly tokenMetadata: TokenMetadata;
}): Promise<boolean> => {
  let isWritten = false;
  const trades = await selectUnannouncedTrades(db, networks.configured, CONFIRMATIONS, PAGE);
  for (const network of new Set(trades.map((trade) => trade.network as Network))) {
    const mine = trades.filter((trade) => trade.network === network);
    const tokens = await readTokens(tokenMetadata, network, mine);
    if (tokens === undefined) continue;
    const ids = mine.map(({ id }) => id);
    await db.transaction(async (session) => {
      const marked = await announceTrades(session, ids);
      const rows = mine.flatMap((trade) => (marked.has(trade.id) ? (logRow(trade, tokens) ?? []) : []));
      // As every writer of the log, so that rows appear in the order of their ids.
      await lockIngest(session);
      await insertHubEvents(session, rows);
    });
    isWritten = true;
  }
  return isWritten;
};
