import { claimFirstHandIn, updateTransactionFailure, updateTransactionsSent } from '../store/chain-transaction.js';
import type { ChainParts, Shipment } from './chain-parts.js';
import type { ChainClient } from './network.js';
import { giveBackNonces, type Refusal } from './renonce.js';
import { broadcast, UNANSWERED, type Verdict } from './verdict.js';

/** At a time, in the order of the nonces; nodes hold a few that come before those which they follow. */
const AT_ONCE = 16;

/**
 * In milliseconds after signing. What was handed in once is not handed in by the follower again for longer than this
 * (`FollowerPatience.again`), so that a refusal until then is the only thing that a node said.
 */
const ALONE_MS = 25_000;

interface Judged {
  readonly shipment: Shipment;
  readonly verdict: Verdict;
  /** Nobody handed in these bytes before, or does meanwhile. */
  readonly isFirst: boolean;
}

/** Hands them in until nobody answers: who asks has no time to learn that of each; the follower hands in the rest. */
const broadcastAll = async (
  { db }: ChainParts,
  client: ChainClient,
  shipments: readonly Shipment[],
): Promise<Judged[]> => {
  const judged: Judged[] = [];
  for (let from = 0; from < shipments.length; from += AT_ONCE) {
    const next = shipments.slice(from, from + AT_ONCE);
    const claimed = await claimFirstHandIn(
      db,
      next.filter(({ row }) => !row.sent).map(({ row }) => row.id),
    );
    // What another process claimed meanwhile leaves from there.
    const ours = next.filter(({ row }) => row.sent || claimed.has(row.id));
    const batch = await Promise.all(
      ours.map(async (shipment) => ({
        shipment,
        verdict: await broadcast(client, shipment.attempt.raw),
        isFirst: claimed.has(shipment.row.id),
      })),
    );
    judged.push(...batch);
    const isSilent = ({ verdict }: Judged): boolean => verdict.kind === 'unknown' && verdict.code === UNANSWERED;
    if (batch.length > 0 && batch.every(isSilent)) break;
  }
  return judged;
};

/**
 * Hands transactions of one wallet on one chain to the network, in the order of their nonces, and keeps what came of
 * it. What is refused leaves no gap. That a nonce was used is for the follower to look into, with patience: by what,
 * no node says.
 * @param isOurs this process has just written these rows: it ends those that every endpoint refuses. What anybody else
 *   hands in stays open whatever is said of it, as nobody knows what was said before.
 */
export const transmit = async (
  parts: ChainParts,
  client: ChainClient,
  shipments: readonly Shipment[],
  isOurs: boolean,
): Promise<void> => {
  const [head] = shipments;
  if (!head) return;
  const judged = await broadcastAll(parts, client, shipments);
  const taken = judged.filter(({ verdict }) => verdict.kind === 'taken').map(({ shipment }) => shipment.row.id);
  if (taken.length > 0) await updateTransactionsSent(parts.db, taken);
  const refusals = new Map<string, Refusal>();
  for (const { shipment, verdict, isFirst } of judged) {
    if (verdict.kind !== 'refused' && verdict.kind !== 'unknown') continue;
    const { row, attempt } = shipment;
    const isAlone = isFirst && parts.clock() - attempt.createdAt.getTime() < ALONE_MS;
    // What may have left waits in a pool somewhere, and will be mined or not: it is open.
    if (verdict.kind === 'refused' && isOurs && isAlone) refusals.set(row.id, verdict);
    else await updateTransactionFailure(parts.db, row.id, verdict);
  }
  if (refusals.size === 0) return;
  await transmit(parts, client, await giveBackNonces(parts, client, head.row, refusals), true);
};
