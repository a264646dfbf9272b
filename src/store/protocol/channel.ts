import { bulkInsert, runRows } from '../../db/bulk-statement.js';
import { type Session, sql } from '../../db/statement.js';
import { INVALIDATE_ALL, insertChange } from '../change.js';
import type { ChannelRow } from '../query/channel.js';

const upsertChannelRows = bulkInsert(
  'upsert_channels',
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
  `on conflict (id) do update set
     parent_url = excluded.parent_url, url = excluded.url, name = excluded.name, description = excluded.description,
     image_url = excluded.image_url, lead_fid = excluded.lead_fid, created_at = excluded.created_at`,
);

/** Writes channels, which are not protocol messages. All caches are cleared when the transaction is committed. */
export const upsertChannels = async (session: Session, rows: readonly ChannelRow[]): Promise<void> => {
  await runRows(session, upsertChannelRows, rows);
  await insertChange(session, INVALIDATE_ALL);
};

export interface ChannelMemberRow {
  readonly channel_id: string;
  readonly fid: number;
  readonly role: 'member' | 'moderator' | 'owner';
}

const insertMembers = bulkInsert('insert_channel_members', 'channel_member', {
  channel_id: 'text',
  fid: 'bigint',
  role: 'text',
});

const replaceChannelMembersSql = sql(
  'replace_channel_members',
  'delete from channel_member where channel_id = any($1)',
);

/** Replaces the members of the channels `ids`. */
export const replaceChannelMembers = async (
  session: Session,
  ids: readonly string[],
  rows: readonly ChannelMemberRow[],
): Promise<void> => {
  if (ids.length === 0) return;
  await session.run(replaceChannelMembersSql, [ids]);
  await runRows(session, insertMembers, rows);
};
