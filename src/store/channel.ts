import { insertRows } from './bulk.js';
import { EVERYTHING, insertChange } from './change.js';
import type { ChannelRow } from './query/channel.js';
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
  await insertChange(session, EVERYTHING);
};

export interface ChannelMemberRow {
  readonly channel_id: string;
  readonly fid: number;
  readonly role: 'member' | 'moderator' | 'owner';
}

/** Makes these the members of the channels `ids`, instead of those they had. */
export const replaceChannelMembers = async (
  session: Session,
  ids: readonly string[],
  rows: readonly ChannelMemberRow[],
): Promise<void> => {
  if (ids.length === 0) return;
  await session.run('delete from channel_member where channel_id = any($1)', [ids]);
  await insertRows(session, 'channel_member', { channel_id: 'text', fid: 'bigint', role: 'text' }, rows);
};
