import { insertRows } from './bulk.js';
import { insertChange } from './change.js';
import type { ChannelRow } from './channel-read.js';
import type { Session } from './database.js';

/**
 * Writes channels as their keeper describes them. Channels are no protocol messages. Caches that name them are
 * emptied through the change row: who calls this in a transaction sees it within a second everywhere.
 */
export const upsertChannels = async (session: Session, rows: readonly ChannelRow[]): Promise<void> => {
  await insertRows(
    session,
    'channel',
    {
      id: 'text',
      parent_url: 'text',
      url: 'text',
      name: 'text',
      description: 'text',
      image_url: 'text',
      lead_fid: 'bigint',
      created_at: 'timestamptz',
    },
    rows,
    `on conflict (id) do update set
       parent_url = excluded.parent_url, url = excluded.url, name = excluded.name, description = excluded.description,
       image_url = excluded.image_url, lead_fid = excluded.lead_fid, created_at = excluded.created_at,
       version = channel.version + 1`,
  );
  await insertChange(session, { fids: [], casts: [], all: true });
};
