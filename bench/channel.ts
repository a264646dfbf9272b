import type { Database } from '../src/db/database.js';
import { countChannelActivity } from '../src/job/channel-activity.js';
import { toUnixMs } from '../src/protocol/time.js';
import { SAMPLE_CHANNELS } from '../src/sample/channel.js';
import { describeChannel, upsertChannels } from '../src/store/channel/write.js';

/** Channels without casts, so that there are more of them than one page. */
const QUIET_CHANNELS = 484;
/** Of every so many accounts one follows a quiet channel, and one of those that follow a channel is its member. */
const QUIET_SHARE = 25;
const MEMBER_SHARE = 10;

/** Stores the sample network's channels and some without casts, with followers and members among all accounts. */
export const storeBenchChannels = async (db: Database): Promise<void> => {
  const updatedAt = new Date();
  const busy = SAMPLE_CHANNELS.map(({ id, name, description, parentUrl, leadFid, createdAt }) => ({
    ...{ id, name, description, parentUrl, leadFid },
    createdAt: new Date(toUnixMs(createdAt)),
  }));
  const quiet = Array.from({ length: QUIET_CHANNELS }, (_, n) => ({
    ...{ id: `quiet${n}`, name: `Quiet place ${n}`, description: 'Nobody casts here.', leadFid: n + 1 },
    parentUrl: `https://quiet.example/${n}`,
    createdAt: new Date(Date.UTC(2025, 0, 1) + n * 60_000),
  }));
  const rows = [...busy, ...quiet].map((known) => describeChannel({ ...known, source: 'local', updatedAt }));
  await db.transaction((session) => upsertChannels(session, rows));
  await db.run(
    `insert into channel_follow (channel_id, fid, followed_at)
     select c.id, a.fid, now() - (a.fid % 1000) * interval '1 hour'
       from channel c join account a on (a.fid * 7919 + hashtext(c.id)) % (case when c.id like 'quiet%' then $1 else 3 end) = 0
     on conflict do nothing`,
    [QUIET_SHARE],
  );
  await db.run(
    `insert into channel_member (channel_id, fid, role, since)
     select channel_id, fid, 'member', followed_at from channel_follow where fid % $1 = 0 on conflict do nothing`,
    [MEMBER_SHARE],
  );
  await db.run(`update channel c set
    follower_count = (select count(*) from channel_follow f where f.channel_id = c.id),
    member_count = (select count(*) from channel_member m where m.channel_id = c.id)`);
  await countChannelActivity({ db, now: Date.now(), changed: () => undefined });
  await db.run('analyze channel, channel_parent_url, channel_follow, channel_member, channel_activity');
};
