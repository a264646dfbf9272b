import { equalBytes } from '../../bytes.js';
import { type AttemptRow, insertAttempts, selectAttempts } from '../../store/onchain/attempt.js';
import { lockOpenTransaction, type OpenTransaction } from '../../store/onchain/transaction.js';
import type { ChainDependencies, SignedTransaction } from './dependencies.js';
import { bumpFee, type FeeMarket, feeCeiling } from './fee.js';
import { signAttempts } from './signing.js';

/**
 * Each attempt costs an eighth more. After 12 attempts the price has quadrupled and is raised only if the market is
 * higher.
 */
const MAX_ATTEMPTS = 12;

/**
 * @param count nonce of the account's next transaction to be mined
 * @returns whether the price may be why a transaction waits: it is the next one, or its price is too low for any block
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
 * Re-signs a transaction at a higher price with the same nonce, so that only one of the two is mined.
 * @param last its latest attempt, as the caller read it
 * @returns the transaction to broadcast; undefined if the price would exceed the ceiling, if it is no longer open, or
 *   if another process was faster
 */
export const reprice = async (
  { db, masterKey, clock, maxFeeGwei }: ChainDependencies,
  id: string,
  last: AttemptRow,
  market: FeeMarket,
): Promise<SignedTransaction | undefined> =>
  db.transaction(async (session) => {
    const row = await lockOpenTransaction(session, id);
    const latest = row && (await selectAttempts(session, [id])).get(id)?.at(-1);
    if (!row || !latest || !equalBytes(latest.hash, last.hash)) return undefined;
    const old = { maxFee: BigInt(last.maxFee), priorityFee: BigInt(last.priorityFee) };
    const fee = bumpFee(old, market);
    if (fee.maxFee > feeCeiling(row.chainId, maxFeeGwei)) return undefined;
    const [attempt] = await signAttempts(session, masterKey, [row], fee, new Date(clock()));
    if (!attempt) return undefined;
    await insertAttempts(session, [attempt]);
    // The earlier attempt may be in a pool, so a rejection of this one must not fail the transaction.
    return { row: { ...row, sent: true }, attempt };
  });
