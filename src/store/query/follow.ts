import { MessageType } from '@farcaster/core';
import type { Reader } from '../../db/statement.js';
import { MessageSet } from '../../protocol/conflict.js';
import { LinkSubtype } from '../../protocol/link-subtype.js';
import { lookupKey } from '../../protocol/lookup-key.js';
import { LATEST_TIME } from '../../protocol/time.js';
import { ABOVE_ALL_HASHES_HEX } from '../hash-order.js';
import { type RowOf, readQuery } from '../query-function.js';
import { audienceTagsOf, followersOf, signersOf } from '../tag.js';
import { type Audience, visibleTo } from '../visibility.js';
import { accountExists } from './account-exists.js';

/** `followers` of an account, accounts that it is `following`, or `reciprocal` for both. */
export type FollowKind = 'followers' | 'following' | 'reciprocal';

/**
 * `ts` is the time of the follow in protocol seconds, of a reciprocal one that of the list's account, and `hash` that of
 * the follow, hex without 0x. `appFid` is the app that signed it; null: unknown, or not selected (`reciprocal`).
 */
export type FollowRow = Omit<RowOf<'follow_followers_by_time'>, 'score'>;

/** A position in the list by time, newest first. */
interface Place {
  readonly ts: number;
  readonly hash: string;
}

/** The position of a page's last row, and the start of the ranked part. */
export interface FollowCursor extends Place {
  /** Null: in the part sorted by time. */
  readonly score: number | null;
  /** The oldest follow ranked by score; null: all follows are ranked, or none. */
  readonly edge: Place | null;
}

export interface FollowPage {
  /** Whether the newest `RANKED` follows are sorted by score and come first; otherwise all are sorted by time. */
  readonly ranked: boolean;
  /** Time of the first page in protocol seconds; a ranked list has no later follows. */
  readonly horizon: number;
  readonly after: FollowCursor | undefined;
  readonly limit: number;
}

/**
 * Number of newest follows that are ranked by score. The others follow by time, so the list is complete and a page
 * costs the same for any number of followers.
 */
const RANKED = 1000;

/** After all times and hashes (20 bytes). */
const NOW: Place = { ts: LATEST_TIME, hash: ABOVE_ALL_HASHES_HEX };
const BEGINNING: Place = { ts: -1, hash: '' };
const ABOVE_ALL_SCORES = 2;

/** @returns the conflict key of every account's follow of this account */
export const followKey = (targetFid: number): Uint8Array =>
  lookupKey({ type: MessageType.LINK_ADD, linkBody: { type: 'follow', targetFid } }).key;

/** SQL condition for the non-void follows of one author, written like that of the index `message_page`. */
export const followMessage = (alias: string): string =>
  `${alias}.type = ${MessageType.LINK_ADD} and ${alias}.subtype = ${LinkSubtype.follow} and not ${alias}.void`;

/**
 * Joins the app that signed a follow, as `app`.
 * @param signerFid SQL of the following fid
 * @param link SQL name of a row with the follow's `ts` and `hash`
 */
export const followApp = (signerFid: string, link: string): string => `
  left join lateral (
    select k.request_fid
      from message m
      join signer_key k on k.fid = m.fid and k.key = m.signer and k.key_type = 1
     where m.fid = ${signerFid} and ${followMessage('m')} and m.ts = ${link}.ts and m.hash = ${link}.hash
     limit 1
  ) app on true`;

// A lateral join with a limit is a primary key lookup for each row, regardless of how many rows the planner expects.

/** Joins an account that exists, as `a`. */
export const existingAccount = (person: string): string => `
  cross join lateral (
    select a.score from account a where a.fid = ${person} and ${accountExists('a')} limit 1
  ) a`;

/** Joins the score of an account, stored or not, as `a`: lists must have every account that the counters count. */
export const listedAccount = (person: string): string => `
  cross join lateral (
    select coalesce((select k.score from account k where k.fid = ${person}), 0::real) as score
  ) a`;

/** Keeps the accounts whose follow has this conflict key. */
export const followsBack = (person: string, key: string): string => `
  cross join lateral (
    select b.ts, b.hash from message b
     where b.fid = ${person} and b.message_set = ${MessageSet.link} and b.key = ${key}::bytea
       and b.type = ${MessageType.LINK_ADD} and not b.void
     limit 1
  ) b`;

interface Source {
  /** SQL of the follows, with the alias `l`. */
  readonly from: string;
  /** Condition for the follows of all lists of the kind. */
  readonly matchesAll: string;
  /** Condition for the follows of the list of account `:fid`. */
  readonly where: string;
  /** SQL of the listed account's fid. */
  readonly person: string;
  /** Join that keeps accounts that follow back; `key` is the placeholder of their follow's conflict key. */
  readonly mutual?: (key: string) => string;
  /** SQL of the following fid, where the app that signed the follow is shown. */
  readonly signer?: string;
  /** Whether the account `:fid` made the follows: they are in no list for whom it is hidden. */
  readonly isOwn?: true;
}

const FOLLOWS = followMessage('l');
const FOLLOWERS = `l.type = ${LinkSubtype.follow}`;

const byAuthor = {
  from: 'message l',
  matchesAll: FOLLOWS,
  where: `l.fid = :fid and ${FOLLOWS}`,
  person: 'l.target_fid',
  isOwn: true,
} as const;

/** The rows of each list, including accounts hidden from the audience. */
export const FOLLOW_SOURCES: Readonly<Record<FollowKind, Source>> = {
  followers: {
    from: 'link l',
    matchesAll: FOLLOWERS,
    where: `l.target_fid = :fid and ${FOLLOWERS}`,
    person: 'l.fid',
    signer: 'p.fid',
  },
  following: { ...byAuthor, signer: ':fid' },
  // Starts with the account's own follows, whose number its storage bounds; the number of followers has no bound.
  reciprocal: {
    ...byAuthor,
    mutual: (key) => followsBack('l.target_fid', key),
  },
};

const withApp = ({ signer }: Source, page: string, order: string): string => `
  select p.fid as "fid!", p.ts as "ts!", encode(p.hash, 'hex') as "hash!",
         ${signer === undefined ? 'null::bigint' : 'app.request_fid'} as "appFid", p.score as "score!"
    from (${page}) p
    ${signer === undefined ? '' : followApp(signer, 'p')}
   order by ${order}`;

type Row = RowOf<'follow_followers_by_time'>;

const statementsOf = (kind: FollowKind) => {
  const source = FOLLOW_SOURCES[kind];
  const { from, where, person, mutual, isOwn } = source;
  const visible = (listed: string): string =>
    `${visibleTo(listed, ':viewer?', ':appId')}${isOwn ? ` and ${visibleTo(':fid::bigint', ':viewer?', ':appId')}` : ''}`;
  const latestFirst = 'l.ts desc, l.hash desc';
  return {
    // A limit unknown to the planner makes it use the index; it expects lists to be short, and would sort them instead.
    edge: readQuery(
      `follow_${kind}_edge`,
      `select l.ts, encode(l.hash, 'hex') as "hash!" from ${from}
        where ${where} and l.ts <= :horizon::integer
        order by ${latestFirst} offset :offset::integer limit :limit::integer`,
    ).first(),
    byTime: readQuery(
      `follow_${kind}_by_time`,
      withApp(
        source,
        `select ${person} as fid, l.ts, l.hash, a.score
           from ${from} ${listedAccount(person)} ${mutual?.(':key') ?? ''}
          where ${where} and (l.ts, l.hash) < (:ts::integer, :hash::bytea)
            and ${visible(person)}
          order by ${latestFirst} limit :limit`,
        'p.ts desc, p.hash desc',
      ),
      kind === 'followers'
        ? ({ fid, viewer, appId }, rows) => [
            followersOf(fid),
            ...audienceTagsOf(viewer, appId),
            ...rows.map((row) => signersOf(row.fid)),
          ]
        : undefined,
    ).rows(),
    // Sorted before the visibility check, so that only as many rows are checked as are shown.
    byScore: readQuery(
      `follow_${kind}_by_score`,
      withApp(
        source,
        `select s.fid, s.ts, s.hash, s.score
           from (select ${person} as fid, l.ts, l.hash, a.score
                   from ${from} ${listedAccount(person)} ${mutual?.(':key') ?? ''}
                  where ${where} and (l.ts, l.hash) >= (:edgeTs::integer, :edgeHash::bytea) and l.ts <= :horizon::integer
                    and (a.score, l.ts, l.hash) < (:score::real, :ts::integer, :hash::bytea)
                  order by a.score desc, ${latestFirst}) s
          where ${visible('s.fid')}
          order by s.score desc, s.ts desc, s.hash desc limit :limit`,
        'p.score desc, p.ts desc, p.hash desc',
      ),
    ).rows(),
  };
};

const STATEMENTS = {
  followers: statementsOf('followers'),
  following: statementsOf('following'),
  reciprocal: statementsOf('reciprocal'),
};

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/**
 * Selects one page of a list with at most three statements. Accounts hidden from the audience are left out, and follows
 * that a hidden account made; all others are listed, stored or not.
 * @returns at most `limit` rows, and the position of the last one when there are more
 */
export const selectFollows = async (
  db: Reader,
  kind: FollowKind,
  fid: number,
  { appId, viewer }: Audience,
  { ranked, horizon, after, limit }: FollowPage,
): Promise<{ readonly rows: readonly FollowRow[]; readonly next: FollowCursor | null }> => {
  const { edge: edgeOf, byTime, byScore } = STATEMENTS[kind];
  const who = { fid, viewer, appId, ...(kind === 'reciprocal' && { key: followKey(fid) }) };
  const first =
    ranked && after === undefined ? await edgeOf(db, { fid, horizon, offset: RANKED - 1, limit: 1 }) : undefined;
  const edge = after === undefined ? (first ?? null) : after.edge;
  const wanted = limit + 1;
  const found: (Row & { readonly isRanked: boolean })[] = [];

  if (ranked && after?.score !== null) {
    const last = after ?? NOW;
    const place = { ts: last.ts, hash: bytes(last.hash), score: after?.score ?? ABOVE_ALL_SCORES };
    const { ts, hash } = edge ?? BEGINNING;
    const bounds = { edgeTs: ts, edgeHash: bytes(hash), horizon };
    const rows = await byScore(db, { ...who, ...place, ...bounds, limit: wanted });
    found.push(...rows.map((row) => ({ ...row, isRanked: true })));
  }
  if (found.length < wanted && (edge !== null || !ranked)) {
    const last = after !== undefined && after.score === null ? after : (edge ?? NOW);
    const place = { ts: last.ts, hash: bytes(last.hash), limit: wanted - found.length };
    const rows = await byTime(db, { ...who, ...place });
    found.push(...rows.map((row) => ({ ...row, isRanked: false })));
  }
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    rows: found.slice(0, limit),
    next: last === undefined ? null : { ts: last.ts, hash: last.hash, score: last.isRanked ? last.score : null, edge },
  };
};
