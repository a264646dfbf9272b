import {
  claimFirstBroadcast,
  updateTransactionFailure,
  updateTransactionsSent,
} from '../../store/onchain/transaction.js';
import type { ChainClient } from '../network.js';
import { type BroadcastResult, broadcast, NO_RESPONSE } from './broadcast-result.js';
import type { ChainDependencies, SignedTransaction } from './dependencies.js';
import { type Rejection, releaseNonces } from './nonce-recovery.js';

/** Concurrent broadcasts, in nonce order; nodes queue a few transactions that arrive before their predecessors. */
const CONCURRENCY = 16;

/**
 * Time after signing, in milliseconds, in which only this process broadcasts the transaction: the tracker rebroadcasts
 * later than that (`TrackerTiming.again`). A rejection within this time is therefore final.
 */
const EXCLUSIVE_MS = 25_000;

interface BroadcastOutcome {
  readonly signedTransaction: SignedTransaction;
  readonly result: BroadcastResult;
  /** True if no process has broadcast these bytes before. */
  readonly isFirst: boolean;
}

/**
 * Broadcasts the transactions until an endpoint fails to respond. The tracker broadcasts the rest, because the request
 * cannot wait for one timeout per transaction.
 */
const broadcastAll = async (
  { db }: ChainDependencies,
  client: ChainClient,
  signedTransactions: readonly SignedTransaction[],
): Promise<BroadcastOutcome[]> => {
  const outcomes: BroadcastOutcome[] = [];
  for (let from = 0; from < signedTransactions.length; from += CONCURRENCY) {
    const next = signedTransactions.slice(from, from + CONCURRENCY);
    const claimed = await claimFirstBroadcast(
      db,
      next.filter(({ row }) => !row.sent).map(({ row }) => row.id),
    );
    // Another process broadcasts what it claimed in the meantime.
    const ours = next.filter(({ row }) => row.sent || claimed.has(row.id));
    const batch = await Promise.all(
      ours.map(async (signedTransaction) => ({
        signedTransaction,
        result: await broadcast(client, signedTransaction.attempt.raw),
        isFirst: claimed.has(signedTransaction.row.id),
      })),
    );
    outcomes.push(...batch);
    const isSilent = ({ result }: BroadcastOutcome): boolean =>
      result.kind === 'unknown' && result.code === NO_RESPONSE;
    if (batch.length > 0 && batch.every(isSilent)) break;
  }
  return outcomes;
};

/**
 * Broadcasts one wallet's transactions on one chain in nonce order and stores the results. The nonces of rejected
 * transactions are released or filled. If a nonce is already used, the tracker finds out later by which transaction, as
 * nodes cannot say.
 * @param isOurs this process has just inserted these rows, so it fails those that every endpoint rejects. Other
 *   transactions stay open after a rejection, because an earlier broadcast may have been accepted.
 */
export const broadcastAndRecord = async (
  deps: ChainDependencies,
  client: ChainClient,
  signedTransactions: readonly SignedTransaction[],
  isOurs: boolean,
): Promise<void> => {
  const [head] = signedTransactions;
  if (!head) return;
  const outcomes = await broadcastAll(deps, client, signedTransactions);
  const accepted = outcomes
    .filter(({ result }) => result.kind === 'taken')
    .map(({ signedTransaction }) => signedTransaction.row.id);
  if (accepted.length > 0) await updateTransactionsSent(deps.db, accepted);
  const rejections = new Map<string, Rejection>();
  for (const { signedTransaction, result, isFirst } of outcomes) {
    if (result.kind !== 'refused' && result.kind !== 'unknown') continue;
    const { row, attempt } = signedTransaction;
    const isExclusive = isFirst && deps.clock() - attempt.createdAt.getTime() < EXCLUSIVE_MS;
    // A transaction that may have been accepted before is still open: a pool may contain it.
    if (result.kind === 'refused' && isOurs && isExclusive) rejections.set(row.id, result);
    else await updateTransactionFailure(deps.db, row.id, result);
  }
  if (rejections.size === 0) return;
  await broadcastAndRecord(deps, client, await releaseNonces(deps, client, head, rejections), true);
};
