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

/**
 * Stores channels `extra0` to `extra3` and a community that gives every list about the account `fid` and the channel
 * `channelId` several items: the account follows, joined and is invited to all of them, and others are what it is in the
 * given one.
 * @returns URLs of the extra channels, for casts in them
 */
export const storeCommunity = async (
  session: Session,
  channelId: string,
  fid: number,
  others: readonly number[],
): Promise<string[]> => {
  const urls = Array.from({ length: 4 }, (_, n) => `https://extra.example/${n}`);
  await storeChannels(
    session,
    urls.map((parentUrl, n) => ({ id: `extra${n}`, name: `More ${channelId}`, parentUrl })),
  );
  const ids = urls.map((_, n) => `extra${n}`);
  const pairs = `select 'extra' || n as id, ${fid} as fid from generate_series(0, 3) n
                 union select '${channelId}', f from unnest(array[${others.join()}]::bigint[]) f`;
  const statements = [
    `insert into channel_follow (channel_id, fid, followed_at) select id, fid, now() from (${pairs}) p`,
    `insert into channel_member (channel_id, fid, role, since) select id, fid, 'member', now() from (${pairs}) p
       on conflict do nothing`,
    `insert into channel_invite (channel_id, fid, inviter_fid, role, invited_at)
     select id, fid, ${fid}, 'moderator', now() from (${pairs}) p`,
    `insert into channel_activity (counted_at, channel_id, cast_count_1d, cast_count_7d, cast_count_30d)
     select '2026-01-01', id, 1, 2, 3 from unnest(array['${channelId}', '${ids.join("','")}']) id`,
  ];
  for (const statement of statements) await session.run(statement);
  await insertChange(session, INVALIDATE_ALL);
  return urls;
};
