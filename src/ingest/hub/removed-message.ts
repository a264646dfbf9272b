import { encodeEnvelope } from '../../protocol/wire/envelope.js';
import { type HubReach, upsertHubRemoval } from '../../store/hub/removal.js';
import { envelopeOf, type MessageRow, selectMessages } from '../../store/protocol/message.js';
import type { StoredMessageKey } from '../../store/protocol/stored-message-key.js';
import type { IngestItem } from '../item.js';
import { hashKey, type LiveEventLog, type LiveEventWatch } from './live-event-log.js';
import { retryDatabaseCall } from './retry.js';
import type { HubDependencies, SignerResolver } from './signer-resolver.js';

/** Messages read and removed together. */
const CHUNK = 1_000;

export interface SyncDependencies extends HubDependencies {
  readonly signerResolver: SignerResolver;
  readonly marks: LiveEventLog;
}

/**
 * Removes messages that were stored before the hub was read and that it did not list, unless they were replaced in
 * between or the live stream stored them again. What it removes is recorded for the audit.
 * @param options.reach how far the hub was when the messages were read
 * @param isRemovable final check, for sets that are not listed as messages
 */
export const removeMissingFromHub = async (
  deps: SyncDependencies,
  absent: readonly StoredMessageKey[],
  watch: LiveEventWatch,
  { announce, reach }: { readonly announce: boolean; readonly reach: HubReach },
  isRemovable: (row: MessageRow) => boolean = () => true,
): Promise<void> => {
  for (let start = 0; start < absent.length; start += CHUNK) {
    const part = absent.slice(start, start + CHUNK);
    const hashes = new Set(part.map(({ hash }) => hashKey(hash)));
    const rows = await retryDatabaseCall(() => selectMessages(deps.db, part), deps);
    const due = rows.filter((row) => hashes.has(hashKey(row.hash)) && !watch.hasMerged(row.hash) && isRemovable(row));
    if (due.length === 0) continue;
    const fids = due.map(({ fid }) => fid);
    await retryDatabaseCall(() => upsertHubRemoval(deps.db, deps.client.hub, reach, fids), deps);
    await removeMessages(
      deps,
      due.map((row) => encodeEnvelope(envelopeOf(row))),
      announce,
    );
  }
};

/** Removes exactly these messages. */
export const removeMessages = async (
  { signerResolver }: SyncDependencies,
  wires: readonly Uint8Array[],
  announce: boolean,
): Promise<void> => {
  if (wires.length === 0) return;
  const items = wires.map((wire): IngestItem => ({ kind: 'removal', reason: 'prune', wire }));
  await signerResolver.submit(items, { source: 'backfill', announce });
};
