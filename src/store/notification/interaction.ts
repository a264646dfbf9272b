import { MessageType } from '@farcaster/core';
import { type Reader, statement } from '../../db/statement.js';
import { signersOf } from '../tag.js';
import { visibleTo } from '../visibility.js';
import { type NotificationRow, notificationTags } from './list.js';
import { castSources, NotificationKind, ownCast } from './source.js';

/** Maximum of interactions in a list, the newest ones; the contract has no cursor here. */
const LIMIT = 100;

const FOLLOW = 1;

/** Two accounts whose interactions are listed. */
export interface InteractionPair {
  readonly fids: readonly [number, number];
  /** App whose bans and mutes hide accounts. */
  readonly appId: string;
  /** Values of `NotificationKind`. */
  readonly kinds: readonly number[];
  /** Protocol seconds; later events are left out. */
  readonly horizon: number;
}

/** One event of one of the two accounts about the other one; `key` is '' for a follow. */
export interface InteractionRow extends NotificationRow {
  readonly actorFid: number;
  /** Account of the app that signed it (follows only); null: unknown. */
  readonly appFid: number | null;
}

/** SQL: whether a cast (alias `c`) refers to the account $1 in this way. */
const REFERENCE: Readonly<Record<number, string>> = {
  [NotificationKind.replies]: 'c.parent_fid = $1',
  [NotificationKind.quotes]: `c.embeds @> jsonb_build_array(jsonb_build_object('fid', $1::bigint))`,
  [NotificationKind.mentions]: '$1 = any(c.mentions)',
};

/**
 * The sources of notifications, but read from the side of the account that acts ($5), whose casts and reactions are
 * limited by its storage; those about a popular account ($1) are not. Each of its casts that refers to $1 is looked up by
 * its key among the notifications of $1, so that a cast counts here when it counts there. (`offset 0` keeps the planner
 * from beginning with all notifications of $1.)
 */
const ofCasts = castSources()
  .map(
    ({ kind, from }) => `
    (select n.ts, ${kind}::smallint as kind, n.hash as key, 0::bigint as app_fid
       from (select c.ts, c.hash from "cast" c
              where c.fid = $5::bigint and ${REFERENCE[kind]} and c.ts <= $3::integer
              order by c.ts desc, c.hash desc offset 0) c
      cross join lateral (select s.ts, s.hash ${from} and s.ts = c.ts and s.hash = c.hash limit 1) n
      order by n.ts desc, n.hash desc limit ${LIMIT})
    union all`,
  )
  .join('');

const interactions = statement<Omit<InteractionRow, 'actorFid'>>(
  'interaction',
  `select i.ts, i.kind, encode(i.key, 'hex') as key, nullif(i.app_fid, 0) as "appFid" from (${ofCasts}
    (select m.ts, m.subtype as kind, m.target_hash as key, 0::bigint as app_fid from message m
      where m.fid = $5::bigint and m.type = ${MessageType.REACTION_ADD} and not m.void and m.target_fid = $1
        and m.subtype = any($4::smallint[]) and m.ts <= $3::integer and ${ownCast('m.target_hash')}
        and ${visibleTo('$5::bigint', '$1', '$2')}
      order by m.ts desc, m.target_hash desc limit ${LIMIT})
    union all
    (select m.ts, ${NotificationKind.follows}::smallint, ''::bytea, coalesce((
            select k.request_fid from signer_key k where k.fid = m.fid and k.key = m.signer and k.key_type = 1), 0)
       from message m
      where m.fid = $5::bigint and m.target_fid = $1 and m.type = ${MessageType.LINK_ADD} and m.subtype = ${FOLLOW}
        and not m.void and ${NotificationKind.follows} = any($4::smallint[]) and m.ts <= $3::integer
        and ${visibleTo('$5::bigint', '$1', '$2')})
  ) i order by i.ts desc, i.kind desc, i.key desc limit ${LIMIT}`,
  // The app behind a follow depends on the key that signed it.
  ([fid, appId, , , actorFid]) => [...notificationTags(fid, appId), signersOf(actorFid as number)],
);

/** In the order of notifications: newest first, then by kind and key, all descending. */
const byAge = (one: InteractionRow, other: InteractionRow): number =>
  other.ts - one.ts || other.kind - one.kind || (one.key < other.key ? 1 : -1);

/**
 * @returns what each of the two accounts did about the other one, as the other one's notifications show it, without
 *   groups: the newest 100 events
 */
export const selectInteractions = async (
  db: Reader,
  { fids: [one, other], appId, kinds, horizon }: InteractionPair,
): Promise<InteractionRow[]> => {
  const readActs = async (actorFid: number, fid: number): Promise<InteractionRow[]> =>
    (await db.read(interactions, [fid, appId, horizon, kinds, actorFid])).map((row) => ({ ...row, actorFid }));
  const both = await Promise.all([readActs(one, other), readActs(other, one)]);
  return both.flat().sort(byAge).slice(0, LIMIT);
};
