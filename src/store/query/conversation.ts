import { forceGenericPlan } from '../../db/generic-plan.js';
import type { Reader } from '../../db/statement.js';
import { LATEST_TIME } from '../../protocol/time.js';
import { ABOVE_ALL_HASHES_HEX } from '../hash-order.js';
import { readQuery } from '../query-function.js';
import { type Audience, visibleTo } from '../visibility.js';

/**
 * By time; by time, newest first; by reactions to a reply, weighted with its author's score: the newest 1,000 replies to the
 * cast come first, in this order, and the older ones follow by time, so that a page of a cast with ever more replies costs
 * the same. Of the replies below one reply, the newest 100 are ranked.
 */
export type ReplyOrder = 'chron' | 'desc_chron' | 'algorithmic';

/**
 * Position of a direct reply: its rank (0 when ordered by time, -1 of one that is too old to be ranked), protocol seconds,
 * hash as hex without 0x.
 */
export interface ReplyCursor {
  readonly rank: number;
  readonly ts: number;
  readonly hash: string;
}

export interface ReplyRow extends ReplyCursor {
  /** Hash of the parent cast, hex without 0x. */
  readonly parent: string;
  /** 1: a direct reply. */
  readonly level: number;
}

export interface ConversationPage {
  readonly audience: Audience;
  readonly order: ReplyOrder;
  /** Levels of replies, 0 to 5. */
  readonly depth: number;
  /** Side of the fold; undefined: both. */
  readonly fold: 'above' | 'below' | undefined;
  /** Protocol seconds; later replies are left out. */
  readonly horizon: number;
  /** The last direct reply of the previous page. */
  readonly after: ReplyCursor | undefined;
  /** Maximum of direct replies. */
  readonly limit: number;
}

const MAX_DEPTH = 5;
/** Maximum of replies shown below one reply, and on one level, so that a conversation stays one page. */
const BREADTH = 10;
const LEVEL = 100;
/** Newest replies to a cast that `algorithmic` ranks, and those to a reply. */
const RANKED = 1000;
const NESTED_RANKED = 100;
/** Replies of authors with a lower score are below the fold. */
const FOLD = 0.1;
/** Maximum of ancestors; the oldest of a longer thread are left out. */
const ANCESTORS = 500;

interface Order {
  /** SQL of the sort columns. */
  readonly keys: string;
  readonly past: '>' | '<';
  readonly direction: 'asc' | 'desc';
}

const BY_TIME = 'r.ts, r.hash';

const ORDERS: Readonly<Record<ReplyOrder, Order>> = {
  chron: { keys: BY_TIME, past: '>', direction: 'asc' },
  desc_chron: { keys: BY_TIME, past: '<', direction: 'desc' },
  algorithmic: { keys: `r.rank, ${BY_TIME}`, past: '<', direction: 'desc' },
};

const ATTENTION = 'coalesce(n.like_count + 2 * n.recast_count + 2 * n.reply_count + 3 * n.quote_count, 0)';
const SCORE = `coalesce((select a.score from account a where a.fid = r.fid), 0)`;

/** Below the fold, a direct reply has all its replies; above it, the fold applies to nested replies, too. */
const DIRECT_FOLD = `(:fold? is null or (${SCORE} < ${FOLD}) = (:fold? = 'below'))`;
const NESTED_FOLD = `(:fold? is distinct from 'above' or ${SCORE} >= ${FOLD})`;

/** SQL of the visible replies to one cast, given by SQL of its id. */
const visibleReplies = (parentFid: string, parentHash: string, fold: string): string => `
  select r.ts, r.hash, r.fid
    from cast_reply r
   where r.parent_fid = ${parentFid} and r.parent_hash = ${parentHash} and r.ts <= :horizon
     and ${visibleTo('r.fid', ':viewer?', ':appId')}
     and ${fold}`;

/** SQL of the newest of these replies, with their ranks. */
const rankedReplies = (replies: string, count: number): string => `
  select r.ts, r.hash, r.fid, (${SCORE} * (1 + ${ATTENTION}))::float8 as rank
    from (${replies} order by r.ts desc, r.hash desc limit ${count}) r
    left join cast_count n on n.fid = r.fid and n.hash = r.hash`;

/** SQL of a page of the replies that are too old to be ranked; a later page of them begins at the cursor. */
const olderReplies = (replies: string): string => `
  select r.ts, r.hash, r.fid, -1::float8 as rank
    from (${replies}
             and (r.ts, r.hash) < (case when :afterRank >= 0 then ${LATEST_TIME} else :afterTs end,
                                   case when :afterRank >= 0 then '\\x' else :afterHash end)
           order by r.ts desc, r.hash desc
          offset case when :afterRank >= 0 then ${RANKED} else 0 end
           limit :limit) r`;

/** SQL of the direct replies among which a page is: all that are shown by time. */
const directReplies = (order: ReplyOrder): string => {
  const replies = visibleReplies(':fid', ':hash', DIRECT_FOLD);
  if (order !== 'algorithmic') return `select r.*, 0::float8 as rank from (${replies}) r`;
  return `select * from (${rankedReplies(replies, RANKED)}) r where :afterRank >= 0
          union all select * from (${olderReplies(replies)}) r`;
};

const nestedReplies = (order: ReplyOrder): string => {
  const replies = visibleReplies('p.fid', 'p.hash', NESTED_FOLD);
  return order === 'algorithmic'
    ? rankedReplies(replies, NESTED_RANKED)
    : `select r.*, 0::float8 as rank from (${replies}) r`;
};

const orderBy = ({ keys, direction }: Order): string =>
  keys
    .split(', ')
    .map((key) => `${key} ${direction}`)
    .join(', ');

const nested = (order: ReplyOrder, level: number): string => `
  level${level} as materialized (
    select r.rank, r.ts, r.hash, r.fid, p.hash as parent, r.place
      from level${level - 1} p
     cross join lateral (
       select r.*, row_number() over (order by ${orderBy(ORDERS[order])}) as place
         from (select r.* from (${nestedReplies(order)}) r
          order by ${orderBy(ORDERS[order])} limit ${BREADTH}) r
     ) r
     where :depth >= ${level}
     order by r.place, p.place, p.hash limit ${LEVEL}
  )`;

const LEVELS = Array.from({ length: MAX_DEPTH }, (_, index) => index + 1);

const TYPES = {
  viewer: 'bigint',
  appId: 'uuid',
  fid: 'bigint',
  hash: 'bytea',
  horizon: 'integer',
  fold: 'text',
  depth: 'integer',
  afterRank: 'float8',
  afterTs: 'integer',
  afterHash: 'bytea',
  limit: 'bigint',
};

const treeOf = (order: ReplyOrder) => {
  const { keys, past } = ORDERS[order];
  const after = order === 'algorithmic' ? '(:afterRank, :afterTs, :afterHash)' : '(:afterTs, :afterHash)';
  return readQuery(
    `conversation_${order}`,
    forceGenericPlan(
      `with level1 as materialized (
       select r.rank, r.ts, r.hash, r.fid, :hash as parent, row_number() over (order by ${orderBy(ORDERS[order])}) as place
         from (
           select r.* from (${directReplies(order)}) r
            where (${keys}) ${past} ${after} and ${order === 'algorithmic' ? 'true' : ':afterRank is not null'}
            order by ${orderBy(ORDERS[order])} limit :limit
         ) r
        where :depth >= 1
     ),${LEVELS.slice(1)
       .map((level) => nested(order, level))
       .join(',')}
     select level as "level!", rank as "rank!", ts as "ts!", encode(hash, 'hex') as "hash!",
            encode(parent, 'hex') as "parent!" from (
       ${LEVELS.map((level) => `select ${level} as level, place, rank, ts, hash, parent from level${level}`).join(' union all ')}
     ) r
     order by level, place`,
      TYPES,
    ),
  ).rows();
};

const TREES = {
  chron: treeOf('chron'),
  desc_chron: treeOf('desc_chron'),
  algorithmic: treeOf('algorithmic'),
};

const FIRST: Readonly<Record<ReplyOrder, ReplyCursor>> = {
  chron: { rank: 0, ts: -1, hash: '' },
  desc_chron: { rank: 0, ts: LATEST_TIME, hash: ABOVE_ALL_HASHES_HEX },
  algorithmic: { rank: Number.POSITIVE_INFINITY, ts: 0, hash: '' },
};

/**
 * Selects the replies to a cast in one statement: a page of direct replies and the replies below them, down to `depth`,
 * at most 10 below each and 100 on a level.
 * @returns the replies by level, and in order among those of the same parent
 */
export const selectReplies = (
  session: Reader,
  cast: { readonly fid: number; readonly hash: string },
  { audience, order, depth, fold, horizon, after, limit }: ConversationPage,
): Promise<ReplyRow[]> => {
  const { rank, ts, hash } = after ?? FIRST[order];
  return TREES[order](session, {
    viewer: audience.viewer,
    appId: audience.appId,
    fid: cast.fid,
    hash: Buffer.from(cast.hash, 'hex'),
    horizon,
    fold: fold ?? null,
    depth,
    afterRank: rank,
    afterTs: ts,
    afterHash: Buffer.from(hash, 'hex'),
    limit,
  });
};

/** @returns hashes of a cast's stored and visible ancestors, the oldest first */
export const selectAncestors = readQuery(
  'conversation_ancestor',
  `with recursive up as (
     select c.parent_fid, c.parent_hash, 0 as distance from "cast" c where c.fid = :fid and c.hash = :hash
     union all
     select c.parent_fid, c.parent_hash, up.distance + 1
       from up join "cast" c on c.fid = up.parent_fid and c.hash = up.parent_hash
      where up.distance < ${ANCESTORS}
   )
   select encode(up.parent_hash, 'hex') as "hash!"
     from up join "cast" c on c.fid = up.parent_fid and c.hash = up.parent_hash
    where ${visibleTo('up.parent_fid', ':viewer?', ':appId')}
    order by up.distance desc`,
).column('hash', (cast: { readonly fid: number; readonly hash: string }, { viewer, appId }: Audience) => ({
  viewer,
  appId,
  fid: cast.fid,
  hash: Buffer.from(cast.hash, 'hex'),
}));
