import { encodeEnvelope } from '../protocol/wire/envelope.js';
import type { Session } from '../store/database.js';
import { envelopeOf } from '../store/message.js';
import { selectFidsWithRefusedItems, upsertRefusedItem } from '../store/refused-item.js';
import type { MessageCandidate } from './candidate.js';
import type { Outcome } from './ingest-outcome.js';
import { refusedItemRow } from './pipeline/refused-item.js';

type Refused = Extract<Outcome, { status: 'invalid' }>;

/**
 * Keeps messages whose signer is not known because what registers it could not be stored, or because the hub did not tell
 * of the account: they are not wrong, and nobody would send them again. They join the table of refused items in the
 * transaction that moves the stream past them. A local caller is told instead.
 */
export const keepWithheld = async (
  session: Session,
  refused: Iterable<readonly [MessageCandidate, Refused]>,
): Promise<void> => {
  const unsigned = [...refused].filter(
    ([{ options }, { reason }]) => reason === 'unknown_signer' && options.source !== 'local',
  );
  if (unsigned.length === 0) return;
  const fids = await selectFidsWithRefusedItems(session, [...new Set(unsigned.map(([{ held }]) => held.fid))]);
  for (const [{ held, options }, { detail }] of unsigned) {
    if (!fids.has(held.fid) && !options.isUntold?.(held.fid)) continue;
    const item = { kind: 'message', wire: encodeEnvelope(envelopeOf(held)) } as const;
    await upsertRefusedItem(session, refusedItemRow(item, options, new Error(detail)));
  }
};
