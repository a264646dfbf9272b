import type { Session } from '../../db/statement.js';
import { encodeEnvelope } from '../../protocol/wire/envelope.js';
import { envelopeOf } from '../../store/protocol/message.js';
import { selectFidsWithRefusedItems, upsertRefusedItem } from '../../store/protocol/refused-item.js';
import type { MessageCandidate } from '../candidate.js';
import type { InvalidOutcome } from '../ingest-outcome.js';
import { refusedItemRow } from './refused-item.js';

/**
 * Stores valid messages whose signer is still unknown (its registration failed to store, or the hub did not return the
 * account) as refused items, so that they are retried: the hub does not send them twice. Runs in the transaction that
 * writes the stream's position. Submissions get an error instead.
 */
export const storeDeferredMessages = async (
  session: Session,
  refused: Iterable<readonly [MessageCandidate, InvalidOutcome]>,
): Promise<void> => {
  const unsigned = [...refused].filter(
    ([{ options }, { reason }]) => reason === 'unknown_signer' && options.source !== 'local',
  );
  if (unsigned.length === 0) return;
  const fids = await selectFidsWithRefusedItems(session, [...new Set(unsigned.map(([{ message }]) => message.fid))]);
  for (const [{ message, options }, { detail }] of unsigned) {
    if (!fids.has(message.fid) && !options.isUnresolved?.(message.fid)) continue;
    const item = { kind: 'message', wire: encodeEnvelope(envelopeOf(message)) } as const;
    await upsertRefusedItem(session, refusedItemRow(item, options, new Error(detail)));
  }
};
