import { MessageType, type ReactionBody } from '@farcaster/core';
import type { Reader } from '../../db/statement.js';
import { DAY_SECONDS } from '../../duration.js';
import { conflictKey, MessageSet } from '../../protocol/conflict.js';
import type { ProtocolMessage } from '../../protocol/wire/message.js';
import { type RowOf, readQuery } from '../query-function.js';
import { signersOf } from '../tag.js';
import { visibleTo } from '../visibility.js';
import { type NotificationRow, type NotificationScope, notificationTags } from './list.js';
import { NotificationKind } from './source.js';

/** Maximum of actors in a group, the newest ones. */
const ACTORS = 10;
/** Maximum of events read for a group, the newest ones. */
const READ = 25;
/** Maximum of counted follows of one day. */
const DAY_LIMIT = 1000;

/** Maximum of counted hidden events that are newer than the newest visible one. */
const HIDDEN_LIMIT = 1000;

export interface NotificationActor {
  readonly fid: number;
  /** Account of the app that signed it (follows only); null: unknown. */
  readonly appFid: number | null;
}

export interface NotificationGroup {
  /** Newest first, at most 10. */
  readonly actors: readonly NotificationActor[];
  /**
   * Number of visible events: exact below 25. Otherwise the cast's current counter (or the day's follows, up to 1000),
   * without the account's own, the hidden ones among the newest 25, and up to 1000 hidden ones newer than the newest
   * visible one. Older hidden events are counted, because checking each of up to 500,000 likes would take too long.
   */
  readonly count: number;
}

/**
 * `n` is the index among the requested groups, from 1; `apps` 0: unknown; `total` has all events by others, visible or
 * not; null when all were read.
 */
type GroupRow = Omit<RowOf<'notification_follow_group'>, 'apps'> & { readonly apps: readonly number[] | null };

const OTHERS = visibleTo('e.fid', ':fid', ':appId');

/** SQL that reads the newest events (alias `e`), counts the visible ones, and selects their newest authors. */
const summary = (events: string): string => `
  select count(*)::integer as read, count(*) filter (where v.shown)::integer as shown,
         (array_agg(v.fid order by v.ts desc, v.hash desc) filter (where v.shown))[1:${ACTORS}] as actors,
         (array_agg(v.ts order by v.ts desc, v.hash desc) filter (where v.shown))[1:${ACTORS}] as times,
         (array_agg(v.hash order by v.ts desc, v.hash desc) filter (where v.shown))[1:${ACTORS}] as hashes
    from (
      select e.fid, e.ts, e.hash, ${OTHERS} as shown from (
        ${events} and e.fid <> :fid order by e.ts desc, e.hash desc limit ${READ}
      ) e offset 0
    ) v`;

const reactionGroups = readQuery(
  'notification_reaction_group',
  `select g.n::integer as "n!", s.read as "read!", s.shown as "shown!", s.actors, null::bigint[] as apps, case when s.read = ${READ} then coalesce((
            select case g.kind when ${NotificationKind.likes} then c.like_count else c.recast_count end
              from cast_count c where c.fid = :fid and c.hash = g.hash), 0) - (
            select count(*)::integer from message m
             where m.fid = :fid and m.message_set = ${MessageSet.reaction} and m.key = g.own_key
               and m.type = ${MessageType.REACTION_ADD}) - (
            select count(*)::integer from (
              select from reaction above
               where above.target_fid = :fid and above.target_hash = g.hash and above.type = g.kind
                 and above.ts > g.ts and above.ts <= :horizon and above.fid <> :fid limit ${HIDDEN_LIMIT}) h) end as total
     from unnest(:kinds::smallint[], :hashes::bytea[], :times::integer[], :ownKeys::bytea[])
            with ordinality as g(kind, hash, ts, own_key, n)
    cross join lateral (${summary(
      `select e.fid, e.ts, e.hash from reaction e
        where e.target_fid = :fid and e.target_hash = g.hash and e.type = g.kind and e.ts <= g.ts`,
    )}) s`,
  ({ fid, appId }) => notificationTags(fid, appId),
).rows();

const followGroups = readQuery(
  'notification_follow_group',
  `select g.n::integer as "n!", s.read as "read!", s.shown as "shown!", s.actors, array(
            select coalesce((
              select k.request_fid from message m
                join signer_key k on k.fid = m.fid and k.key = m.signer and k.key_type = 1
               where m.fid = a.fid and m.type = ${MessageType.LINK_ADD} and m.subtype = 1 and not m.void
                 and m.ts = a.ts and m.hash = a.hash), 0)
              from unnest(s.actors, s.times, s.hashes) with ordinality as a(fid, ts, hash, n)
             order by a.n) as apps, case when s.read = ${READ} then (
            select count(*)::integer from (
              select from link l where l.target_fid = :fid and l.type = 1
                 and l.ts between g.ts - g.ts % ${DAY_SECONDS} and g.ts limit ${DAY_LIMIT}) l) end as total
     from unnest(:times::integer[]) with ordinality as g(ts, n)
    cross join lateral (${summary(
      `select e.fid, e.ts, e.hash from link e
        where e.target_fid = :fid and e.type = 1 and e.ts between g.ts - g.ts % ${DAY_SECONDS} and g.ts`,
    )}) s`,
  // The app behind a follow depends on the key that signed it.
  ({ fid, appId }, rows) => [
    ...notificationTags(fid, appId),
    ...rows.flatMap(({ actors }) => actors ?? []).map(signersOf),
  ],
).rows();

const groupOf = ({ actors, apps, read, shown, total }: GroupRow): NotificationGroup => ({
  actors: (actors ?? []).map((fid, at) => ({ fid, appFid: apps?.[at] || null })),
  count: total === null ? shown : Math.max(shown, total - (read - shown)),
});

const ownKey = (fid: number, { kind, key }: NotificationRow): Uint8Array => {
  const reactionBody: ReactionBody = { type: kind, targetCastId: { fid, hash: Buffer.from(key, 'hex') } };
  return conflictKey({ type: MessageType.REACTION_ADD, data: { reactionBody } } as ProtocolMessage).key;
};

const isReaction = ({ kind }: NotificationRow): boolean =>
  kind === NotificationKind.likes || kind === NotificationKind.recasts;

/** @returns the events of grouped notifications; other notifications are left out */
export const selectNotificationGroups = async (
  db: Reader,
  { fid, appId, horizon }: Pick<NotificationScope, 'fid' | 'appId' | 'horizon'>,
  rows: readonly NotificationRow[],
): Promise<Map<NotificationRow, NotificationGroup>> => {
  const reactions = rows.filter(isReaction);
  const follows = rows.filter(({ kind }) => kind === NotificationKind.follows);
  const times = (of: readonly NotificationRow[]) => of.map(({ ts }) => ts);
  const [ofReactions, ofFollows] = await Promise.all([
    reactions.length === 0
      ? []
      : reactionGroups(db, {
          fid,
          appId,
          kinds: reactions.map(({ kind }) => kind),
          hashes: reactions.map(({ key }) => Buffer.from(key, 'hex')),
          times: times(reactions),
          ownKeys: reactions.map((row) => ownKey(fid, row)),
          horizon,
        }),
    follows.length === 0 ? [] : followGroups(db, { fid, appId, times: times(follows) }),
  ]);
  const placed = (found: readonly GroupRow[], requested: readonly NotificationRow[]) =>
    found.map((row) => [requested[row.n - 1] as NotificationRow, groupOf(row)] as const);
  return new Map([...placed(ofReactions, reactions), ...placed(ofFollows, follows)]);
};
