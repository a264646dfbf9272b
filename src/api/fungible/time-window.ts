import { HOUR_MS } from '../../duration.js';
import { LOCAL_CHAIN_ID } from '../../onchain/network.js';
import type { TIME_WINDOWS } from '../../schema/onchain/fungible-trade.js';
import type { Network } from '../../schema/onchain/network.js';
import { selectTradeSearch } from '../../store/onchain/trade.js';
import type { Services } from '../http/service.js';

const HOURS: Readonly<Record<(typeof TIME_WINDOWS)[number], number>> = {
  '1h': 1,
  '6h': 6,
  '12h': 12,
  '24h': 24,
  '7d': 168,
};
/** How old the newest searched block may be. */
const MAX_LAG_MS = HOUR_MS / 6;

/** The time that a response looks at. */
export interface TradeWindow {
  readonly since: Date;
  /** The network, if its trades are not known for all of that time; otherwise nothing. */
  readonly partial: readonly Network[];
}

/** @throws AppError invalid with property `network` if it is not configured */
export const openTradeWindow = async (
  { db, networks, clock }: Pick<Services, 'db' | 'networks' | 'clock'>,
  network: Network,
  window: (typeof TIME_WINDOWS)[number],
): Promise<TradeWindow> => {
  networks.client(network, 'network');
  const now = clock();
  const since = new Date(now - HOURS[window] * HOUR_MS);
  const search = await selectTradeSearch(db, network);
  // The local chain makes blocks only for transactions.
  const oldest = networks.chainId(network) === LOCAL_CHAIN_ID ? 0 : now - MAX_LAG_MS;
  const isCovered =
    search !== undefined && (search.low === 0 || search.lowAt <= since) && search.highAt.getTime() >= oldest;
  return { since, partial: isCovered ? [] : [network] };
};
