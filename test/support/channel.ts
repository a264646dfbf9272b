import type { Session } from '../../src/db/statement.js';
import { INVALIDATE_ALL, insertChange } from '../../src/store/change.js';
import { type ChannelDescription, describeChannel, upsertChannels } from '../../src/store/channel/write.js';

type Known = Pick<ChannelDescription, 'id' | 'parentUrl'> & Partial<ChannelDescription>;

/** Stores channels of this server that were made in January 2024, unless told otherwise. */
export const storeChannels = async (session: Session, channels: readonly Known[]): Promise<void> => {
  const made = new Date('2024-01-15T00:00:00Z');
  const rows = channels.map((known) =>
    describeChannel({ name: known.id, source: 'local', createdAt: made, updatedAt: made, ...known }),
  );
  await upsertChannels(session, rows);
  await insertChange(session, INVALIDATE_ALL);
};
