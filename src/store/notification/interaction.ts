import { MessageType } from '@farcaster/core';
import type { Reader } from '../../db/statement.js';
import { LinkSubtype } from '../../protocol/link-subtype.js';
import { readQuery } from '../query-function.js';
import { signersOf } from '../tag.js';
import { visibleTo } from '../visibility.js';
import { type NotificationRow, notificationTags } from './list.js';
import { castSources, NotificationKind, ownCast } from './source.js';

/** Maximum of interactions in a list, the newest ones; the contract has no cursor here. */
const LIMIT = 100;

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

/** SQL: whether a cast (alias `c`) refers to the account in this way. */
const REFERENCE: Readonly<Record<number, string>> = {
  [NotificationKind.replies]: 'c.parent_fid = :fid',
  [NotificationKind.quotes]: `c.embeds @> jsonb_build_array(jsonb_build_object('fid', :fid::bigint))`,
  [NotificationKind.mentions]: ':fid = any(c.mentions)',
};

/**
 * The sources of notifications, but read from the side of the account that acts, whose casts and reactions are
 * limited by its storage; those about a popular account are not. Each of its casts that refers to the other one is looked up by
 * its key among that one's notifications, so that a cast counts here when it counts there. (`offset 0` keeps the planner
 * from beginning with all of these.)
 */
const ofCasts = castSources()
  .map(
    ({ kind, from }) => `
    (select n.ts, ${kind}::smallint as kind, n.hash as key, 0::bigint as app_fid
       from (select c.ts, c.hash from "cast" c
              where c.fid = :actorFid::bigint and ${REFERENCE[kind]} and c.ts <= :horizon::integer
              order by c.ts desc, c.hash desc offset 0) c
      cross join lateral (select s.ts, s.hash ${from} and s.ts = c.ts and s.hash = c.hash limit 1) n
      order by n.ts desc, n.hash desc limit ${LIMIT})
    union all`,
  )
  .join('');

const interactions = readQuery(
  'interaction',
  `select i.ts as "ts!", i.kind as "kind!", encode(i.key, 'hex') as "key!", nullif(i.app_fid, 0) as "appFid" from (${ofCasts}
    (select m.ts, m.subtype as kind, m.target_hash as key, 0::bigint as app_fid from message m
      where m.fid = :actorFid::bigint and m.type = ${MessageType.REACTION_ADD} and not m.void and m.target_fid = :fid
        and m.subtype = any(:kinds::smallint[]) and m.ts <= :horizon::integer and ${ownCast('m.target_hash')}
        and ${visibleTo(':actorFid::bigint', ':fid', ':appId')}
      order by m.ts desc, m.target_hash desc limit ${LIMIT})
    union all
    (select m.ts, ${NotificationKind.follows}::smallint, ''::bytea, coalesce((
            select k.request_fid from signer_key k where k.fid = m.fid and k.key = m.signer and k.key_type = 1), 0)
       from message m
      where m.fid = :actorFid::bigint and m.target_fid = :fid and m.type = ${MessageType.LINK_ADD} and m.subtype = ${LinkSubtype.follow}
        and not m.void and ${NotificationKind.follows} = any(:kinds::smallint[]) and m.ts <= :horizon::integer
        and ${visibleTo(':actorFid::bigint', ':fid', ':appId')})
  ) i order by i.ts desc, i.kind desc, i.key desc limit ${LIMIT}`,
  // The app behind a follow depends on the key that signed it.
  ({ fid, appId, actorFid }) => [...notificationTags(fid, appId), signersOf(actorFid)],
).rows();

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
    (await interactions(db, { fid, appId, horizon, kinds, actorFid })).map((row) => ({ ...row, actorFid }));
  const both = await Promise.all([readActs(one, other), readActs(other, one)]);
  return both.flat().sort(byAge).slice(0, LIMIT);
};
