import { MessageType } from '@farcaster/core';
import { readQuery } from '../query-function.js';
import { audienceTagsOf, reactionsOf, signersOf } from '../tag.js';
import { type Audience, visibleTo } from '../visibility.js';

/** A page of a list of reactions, newest first. */
export interface ReactionPage {
  /** Like 1, recast 2. */
  readonly types: readonly number[];
  /** Protocol seconds: later reactions are left out. */
  readonly horizon: number;
  /** The last reaction of the previous page; undefined: the first page. */
  readonly after: ReactionCursor | undefined;
  readonly limit: number;
}

export interface ReactionCursor {
  /** Protocol seconds. */
  readonly ts: number;
  /** Hash of the reaction itself, hex without 0x. */
  readonly hash: string;
}

interface ReactionItem extends ReactionCursor {
  /** Like 1, recast 2. */
  readonly type: number;
  /** Account of the app that signed it; null: unknown. */
  readonly app_fid: number | null;
}

export interface UserReactionRow extends ReactionItem {
  /** Hash of the cast, hex without 0x. */
  readonly cast_hash: string;
}

export interface CastReactionRow extends ReactionItem {
  /** Author of the reaction. */
  readonly fid: number;
}

const LATEST = 2_147_483_647;
const ABOVE_ALL_HASHES = Buffer.alloc(21, 0xff);

const conflictKeyOf = ({ horizon, after, limit }: ReactionPage) => [
  Math.min(horizon, LATEST),
  after?.ts ?? LATEST,
  after === undefined ? ABOVE_ALL_HASHES : Buffer.from(after.hash, 'hex'),
  limit,
];

const appOf = (fid: string, signer: string): string =>
  `(select k.request_fid from signer_key k where k.fid = ${fid} and k.key = ${signer} and k.key_type = 1)`;

// Each type is read from the index in order; apps are looked up for the rows of the page only.
/**
 * Reactions of an account to stored casts by authors visible to the audience, newest first; none when the account
 * itself is hidden from it. Reactions to URLs are left out.
 */
export const selectReactionsByUser = readQuery<UserReactionRow>(
  'reaction_by_user',
  `select p.subtype as type, p.ts, encode(p.hash, 'hex') as hash, encode(p.target_hash, 'hex') as cast_hash,
          ${appOf('$1', 'p.signer')} as app_fid
     from (
       select r.* from unnest($2::smallint[]) as kind(type)
        cross join lateral (
          select m.subtype, m.ts, m.hash, m.target_hash, m.signer from message m
           where m.fid = $1 and m.type = ${MessageType.REACTION_ADD} and m.subtype = kind.type and not m.void
             and m.ts <= $3 and (m.ts, m.hash) < ($4::integer, $5::bytea)
             and exists (select from "cast" c where c.fid = m.target_fid and c.hash = m.target_hash offset 0)
             and ${visibleTo('m.target_fid', '$7', '$8')} and ${visibleTo('$1', '$7', '$8')}
           order by m.ts desc, m.hash desc limit $6
        ) r
        order by r.ts desc, r.hash desc limit $6
     ) p
    order by p.ts desc, p.hash desc`,
  ([fid, , , , , , viewer, appId]) => [
    reactionsOf(fid as number),
    signersOf(fid as number),
    ...audienceTagsOf(viewer, appId),
  ],
).rows((fid: number, page: ReactionPage, { viewer, appId }: Audience) => [
  fid,
  page.types,
  ...conflictKeyOf(page),
  viewer,
  appId,
]);

/** @returns protocol seconds of the account's first stored reaction after the horizon; null: there is none. */
export const selectNextReactionByUser = readQuery<{ ts: number | null }>(
  'reaction_by_user_next',
  `select min(r.ts) as ts from unnest($2::smallint[]) as kind(type)
    cross join lateral (
      select m.ts from message m
       where m.fid = $1 and m.type = ${MessageType.REACTION_ADD} and m.subtype = kind.type and not m.void and m.ts > $3
       order by m.ts limit 1
    ) r`,
  ([fid]) => [reactionsOf(fid as number)],
).valueOr('ts', null, (fid: number, { types, horizon }: Pick<ReactionPage, 'types' | 'horizon'>) => [
  fid,
  types,
  Math.min(horizon, LATEST),
]);

/**
 * Reactions to a cast by accounts visible to the audience, newest first; none when the cast is not stored.
 * @param hash of the cast, 40 hex digits
 */
export const selectReactionsByCast = readQuery<CastReactionRow>(
  'reaction_by_cast',
  `select p.type, p.ts, encode(p.hash, 'hex') as hash, p.fid,
          (select ${appOf('m.fid', 'm.signer')} from message m
            where m.fid = p.fid and m.type = ${MessageType.REACTION_ADD} and m.subtype = p.type and not m.void
              and m.ts = p.ts and m.hash = p.hash) as app_fid
     from (
       select r.* from cast_hash h
        cross join unnest($2::smallint[]) as kind(type)
        cross join lateral (
          select i.type, i.ts, i.hash, i.fid from reaction i
           where i.target_fid = h.fid and i.target_hash = h.hash and i.type = kind.type
             and i.ts <= $3 and (i.ts, i.hash) < ($4::integer, $5::bytea)
             and ${visibleTo('i.fid', '$7', '$8')}
           order by i.ts desc, i.hash desc limit $6
        ) r
        where h.hash = $1
        order by r.ts desc, r.hash desc limit $6
     ) p
    order by p.ts desc, p.hash desc`,
).rows((hash: string, page: ReactionPage, { viewer, appId }: Audience) => [
  Buffer.from(hash, 'hex'),
  page.types,
  ...conflictKeyOf(page),
  viewer,
  appId,
]);
