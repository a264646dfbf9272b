import { encodeEnvelope } from '../protocol/wire/envelope.js';
import { envelopeOf, type MessageRow, selectMessages } from '../store/message.js';
import type { HeldMessage } from '../store/reconcile.js';
import type { HubParts, Introductions } from './hub-introduction.js';
import { hashKey, type LiveMarks, type LiveWatch } from './hub-live-mark.js';
import { untilDatabaseAnswers } from './hub/retry.js';
import type { IngestItem } from './item.js';

/** Messages that are read and removed together. */
const CHUNK = 1_000;

/** What a comparison with the hub works with. */
export interface SyncParts extends HubParts {
  readonly introductions: Introductions;
  readonly marks: LiveMarks;
}

/**
 * Removes messages that were held before the hub was asked and that it did not list, unless they left their place
 * meanwhile or the live stream brought them back.
 * @param isGone the last word on a message, for sets that are not listed as messages
 */
export const removeAbsent = async (
  parts: SyncParts,
  absent: readonly HeldMessage[],
  watch: LiveWatch,
  announce: boolean,
  isGone: (row: MessageRow) => boolean = () => true,
): Promise<void> => {
  for (let start = 0; start < absent.length; start += CHUNK) {
    const part = absent.slice(start, start + CHUNK);
    const hashes = new Set(part.map(({ hash }) => hashKey(hash)));
    const rows = await untilDatabaseAnswers(() => selectMessages(parts.db, part), parts);
    const due = rows.filter((row) => hashes.has(hashKey(row.hash)) && !watch.hasMerged(row.hash) && isGone(row));
    await removeMessages(
      parts,
      due.map((row) => encodeEnvelope(envelopeOf(row))),
      announce,
    );
  }
};

/** Removes exactly these messages. */
export const removeMessages = async (
  { introductions }: SyncParts,
  wires: readonly Uint8Array[],
  announce: boolean,
): Promise<void> => {
  if (wires.length === 0) return;
  const items = wires.map((wire): IngestItem => ({ kind: 'removal', reason: 'prune', wire }));
  await introductions.submit(items, { source: 'backfill', announce });
};
