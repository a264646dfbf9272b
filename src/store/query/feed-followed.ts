import { MessageType } from '@farcaster/core';
import { LinkSubtype } from '../../protocol/link-subtype.js';
import { readQuery } from '../query-function.js';
import { feedOf, followsOf } from '../tag.js';

const follows = (by: string): string =>
  `f.fid = ${by} and f.type = ${MessageType.LINK_ADD} and f.subtype = ${LinkSubtype.follow} and not f.void`;

const isFollowed = (fid: string): string =>
  `exists (select from message f where ${follows(':fid')} and f.target_fid = ${fid} offset 0)`;

// One array instead of rows, because the driver takes ten times as long for a row as for a number.
/** Adds the tags of a following feed: the casts and recasts of each followed account. */
export const readFollowedTags = readQuery(
  'feed_followed_fid',
  `select coalesce(array_agg(f.target_fid), '{}') as "fids!" from message f where ${follows(':fid')}`,
  ({ fid }, [row]) => [followsOf(fid), ...(row?.fids ?? []).map(feedOf)],
).done((fid: number) => ({ fid }));

// Both are read by time: only entries with future timestamps are read, which are at most ten minutes ahead.
/**
 * @param horizon protocol seconds
 * @returns protocol seconds of the first stored entry after the horizon; null: there is none
 */
export const selectNextInFollowingFeed = readQuery(
  'feed_followed_next',
  `select least(
     (select c.ts from "cast" c where c.ts > :horizon::integer and ${isFollowed('c.fid')} order by c.ts, c.hash limit 1),
     (select m.ts from message m
       where :recasts::boolean and m.type = 3 and m.subtype = 2 and not m.void and m.ts > :horizon::integer and ${isFollowed('m.fid')}
       order by m.ts, m.hash limit 1)
   ) as ts`,
  ({ fid }) => [followsOf(fid)],
).valueOr('ts', null, (fid: number, recasts: boolean, horizon: number) => ({ fid, horizon, recasts }));
