import type { Session } from '../../db/statement.js';
import { lockIngest } from '../../store/change.js';
import {
  type ProtocolChannelRow,
  selectHiddenProtocolChannels,
  upsertProtocolChannels,
} from '../../store/channel/protocol-channel.js';
import { selectUnreadChannelMessages } from '../../store/channel/protocol-message.js';
import { type InvalidatingWriter, invalidatingTransaction } from '../../store/invalidating-transaction.js';
import { BatchChanges } from '../batch-changes.js';
import { ingestChannels } from './ingest-channel.js';
import { showChannel } from './show.js';
import { TrackedChannel } from './tracked-channel.js';

/** Messages or channels of one transaction: ingest waits meanwhile. */
const PAGE = 500;

export interface StoredChannelDependencies extends InvalidatingWriter {
  /** `eip155:<chain>/erc721:<address>`; undefined: unknown. */
  readonly registrar: string | undefined;
}

/** Runs work as one batch of ingest. */
const inBatch = <T>(
  parts: StoredChannelDependencies,
  work: (session: Session, changes: BatchChanges) => Promise<T>,
): Promise<T> =>
  invalidatingTransaction(parts, async (session) => {
    await lockIngest(session);
    const changes = new BatchChanges();
    return [await work(session, changes), changes.invalidation()];
  });

/** @returns the number of messages read */
const readPage = (parts: StoredChannelDependencies): Promise<number> =>
  inBatch(parts, async (session, changes) => {
    const messages = await selectUnreadChannelMessages(session, PAGE);
    const steps = messages.map((message) => ({ kind: 'message', message }) as const);
    await ingestChannels(session, steps, parts.registrar, changes);
    return messages.length;
  });

/** @returns the channels of the page, shown or not */
const showPage = (
  parts: StoredChannelDependencies,
  registrar: string,
  after: Uint8Array,
): Promise<readonly ProtocolChannelRow[]> =>
  inBatch(parts, async (session, changes) => {
    const rows = await selectHiddenProtocolChannels(session, `${registrar}/`, after, PAGE);
    const channels = rows.map((row) => new TrackedChannel(row, false));
    for (const channel of channels) await showChannel(session, channel, registrar, changes);
    await upsertProtocolChannels(
      session,
      channels.map(({ row }) => row),
    );
    return rows;
  });

/**
 * Reads messages about channels that an earlier version stored without decoding them, in the order in which they were
 * stored, and shows channels that were registered before the registrar was known or whose id was taken. Verifications
 * count as they are now: an earlier version did not store when they changed.
 */
export const readStoredChannels = async (parts: StoredChannelDependencies, signal: AbortSignal): Promise<void> => {
  while ((await readPage(parts)) === PAGE) signal.throwIfAborted();
  const { registrar } = parts;
  if (registrar === undefined) return;
  for (let after: Uint8Array = new Uint8Array(0); ; ) {
    signal.throwIfAborted();
    const rows = await showPage(parts, registrar, after);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
};
