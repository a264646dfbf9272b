import { type AttemptRow, insertAttempts, selectAttempts } from '../../store/chain-attempt.js';
import { lockOpenTransaction, type OpenTransaction } from '../../store/chain-transaction.js';
import { signAttempts } from './signing.js';
import type { ChainParts, Shipment } from '../chain-parts.js';
import { bumpFee, type FeeMarket, feeCeiling } from './fee.js';

/**
 * Each attempt is an eighth dearer: after these the price has quadrupled, and only a market that asks for more is
 * followed further.
 */
const MAX_ATTEMPTS = 12;

/**
 * @param count nonce of the account's next transaction to be mined
 * @returns whether a transaction waits because of its price, as far as one can tell: nothing stands before it, or no
 *   block takes it at this price
 */
export const needsPrice = (
  row: OpenTransaction,
  attempts: readonly AttemptRow[],
  market: FeeMarket,
  count: number,
): boolean => {
  const last = attempts.at(-1);
  if (!last) return false;
  if (BigInt(last.maxFee) < market.least) return true;
  return row.nonce === count && attempts.length < MAX_ATTEMPTS;
};

/**
 * Signs a transaction again at a higher price, with the same nonce, so that one of the two is mined.
 * @param last its latest attempt, as the caller knows it
 * @returns what has to be sent; undefined when the price would be above the ceiling, when it is not open any more, or another process was faster
 */
export const reprice = async (
  { db, masterKey, clock, maxFeeGwei }: ChainParts,
  id: string,
  last: AttemptRow,
  market: FeeMarket,
): Promise<Shipment | undefined> =>
  db.transaction(async (session) => {
    const row = await lockOpenTransaction(session, id);
    const latest = row && (await selectAttempts(session, [id])).get(id)?.at(-1);
    if (!row || !latest || Buffer.compare(latest.hash, last.hash) !== 0) return undefined;
    const old = { maxFee: BigInt(last.maxFee), priorityFee: BigInt(last.priorityFee) };
    const fee = bumpFee(old, market);
    if (fee.maxFee > feeCeiling(row.chainId, maxFeeGwei)) return undefined;
    const [attempt] = await signAttempts(session, masterKey, [row], fee, new Date(clock()));
    if (!attempt) return undefined;
    await insertAttempts(session, [attempt]);
    // The earlier attempt may be in a pool, so that no refusal of this one ends the transaction.
    return { row: { ...row, sent: true }, attempt };
  });
