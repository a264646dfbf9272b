import { MessageType } from '@farcaster/core';
import { LATEST_TIME } from '../../protocol/time.js';
import { ABOVE_ALL_HASHES } from '../hash-order.js';
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

const pageParams = ({ types, horizon, after, limit }: ReactionPage) => ({
  types,
  horizon: Math.min(horizon, LATEST_TIME),
  ts: after?.ts ?? LATEST_TIME,
  hash: after === undefined ? ABOVE_ALL_HASHES : Buffer.from(after.hash, 'hex'),
  limit,
});

const appOf = (fid: string, signer: string): string =>
  `(select k.request_fid from signer_key k where k.fid = ${fid} and k.key = ${signer} and k.key_type = 1)`;

// Each type is read from the index in order; apps are looked up for the rows of the page only.
/**
 * Reactions of an account to stored casts by authors visible to the audience, newest first; none when the account
 * itself is hidden from it. Reactions to URLs are left out. `type` is 1 for a like, 2 for a recast; `appFid` is the
 * account of the app that signed it, null: unknown. Hashes are hex without 0x.
 */
export const selectReactionsByUser = readQuery(
  'reaction_by_user',
  `select p.subtype as "type!", p.ts as "ts!", encode(p.hash, 'hex') as "hash!", encode(p.target_hash, 'hex') as "castHash!",
          ${appOf(':fid', 'p.signer')} as "appFid"
     from (
       select r.* from unnest(:types::smallint[]) as kind(type)
        cross join lateral (
          select m.subtype, m.ts, m.hash, m.target_hash, m.signer from message m
           where m.fid = :fid and m.type = ${MessageType.REACTION_ADD} and m.subtype = kind.type and not m.void
             and m.ts <= :horizon and (m.ts, m.hash) < (:ts::integer, :hash::bytea)
             and exists (select from "cast" c where c.fid = m.target_fid and c.hash = m.target_hash offset 0)
             and ${visibleTo('m.target_fid', ':viewer?', ':appId')} and ${visibleTo(':fid', ':viewer?', ':appId')}
           order by m.ts desc, m.hash desc limit :limit
        ) r
        order by r.ts desc, r.hash desc limit :limit
     ) p
    order by p.ts desc, p.hash desc`,
  ({ fid, viewer, appId }) => [reactionsOf(fid), signersOf(fid), ...audienceTagsOf(viewer, appId)],
).rows((fid: number, page: ReactionPage, { viewer, appId }: Audience) => ({ ...pageParams(page), fid, viewer, appId }));

/** @returns protocol seconds of the account's first stored reaction after the horizon; null: there is none. */
export const selectNextReactionByUser = readQuery(
  'reaction_by_user_next',
  `select min(r.ts) as ts from unnest(:types::smallint[]) as kind(type)
    cross join lateral (
      select m.ts from message m
       where m.fid = :fid and m.type = ${MessageType.REACTION_ADD} and m.subtype = kind.type and not m.void and m.ts > :horizon
       order by m.ts limit 1
    ) r`,
  ({ fid }) => [reactionsOf(fid)],
).valueOr('ts', null, (fid: number, { types, horizon }: Pick<ReactionPage, 'types' | 'horizon'>) => ({
  fid,
  types,
  horizon: Math.min(horizon, LATEST_TIME),
}));

/**
 * Reactions to a cast by accounts visible to the audience, newest first, as in `selectReactionsByUser`; none when the
 * cast is not stored.
 * @param hash of the cast, 40 hex digits
 */
export const selectReactionsByCast = readQuery(
  'reaction_by_cast',
  `select p.type as "type!", p.ts as "ts!", encode(p.hash, 'hex') as "hash!", p.fid as "fid!",
          (select ${appOf('m.fid', 'm.signer')} from message m
            where m.fid = p.fid and m.type = ${MessageType.REACTION_ADD} and m.subtype = p.type and not m.void
              and m.ts = p.ts and m.hash = p.hash) as "appFid"
     from (
       select r.* from "cast" h
        cross join unnest(:types::smallint[]) as kind(type)
        cross join lateral (
          select i.type, i.ts, i.hash, i.fid from reaction i
           where i.target_fid = h.fid and i.target_hash = h.hash and i.type = kind.type
             and i.ts <= :horizon and (i.ts, i.hash) < (:ts::integer, :hash::bytea)
             and ${visibleTo('i.fid', ':viewer?', ':appId')}
           order by i.ts desc, i.hash desc limit :limit
        ) r
        where h.hash = :castHash
        order by r.ts desc, r.hash desc limit :limit
     ) p
    order by p.ts desc, p.hash desc`,
).rows((hash: string, page: ReactionPage, { viewer, appId }: Audience) => ({
  ...pageParams(page),
  castHash: Buffer.from(hash, 'hex'),
  viewer,
  appId,
}));
