import { MessageType } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import { LinkSubtype } from '../../protocol/link-subtype.js';
import { lookupKey } from '../../protocol/lookup-key.js';
import { accountExists } from './account-exists.js';
import { type Param, type Reader, type Statement, statement } from '../database.js';
import { audienceTagsOf, followersOf, signersOf } from '../tag.js';
import { type Audience, visibleTo } from '../visibility.js';

/** `followers` of an account, those it is `following`, and the `reciprocal` ones, which are both. */
export type FollowKind = 'followers' | 'following' | 'reciprocal';

/** One account of a list. */
export interface FollowRow {
  readonly fid: number;
  /** When the follow was made, protocol seconds; of a reciprocal one: that of the account whose list it is. */
  readonly ts: number;
  /** Hash of the follow, hex without 0x. */
  readonly hash: string;
  /** Fid of the app that the follow was signed through; null: not known, or not asked for (`reciprocal`). */
  readonly app_fid: number | null;
}

/** A place in the order of time, latest first. */
interface Place {
  readonly ts: number;
  readonly hash: string;
}

/** The last row of a page, and what the next page must know of the first. */
export interface FollowPlace extends Place {
  /** Null: among those that come by time. */
  readonly score: number | null;
  /** The oldest follow that is ranked by score; null: all are, or none. */
  readonly edge: Place | null;
}

export interface FollowPage {
  /** By score among the newest `RANKED` follows, then by time; false: all by time. Latest first. */
  readonly ranked: boolean;
  /** Protocol seconds of the first page; later follows are no part of a ranked list. */
  readonly horizon: number;
  readonly after: FollowPlace | undefined;
  readonly limit: number;
}

/**
 * How many of the newest follows are ranked by score. The rest come behind them by time, so that a list is complete
 * and a page of it costs the same for an account with a hundred followers and one with a million.
 */
const RANKED = 1000;

/** Above all hashes (20 bytes) and times. */
const NOW: Place = { ts: 2_147_483_647, hash: 'ff'.repeat(21) };
const BEGINNING: Place = { ts: -1, hash: '' };
const ABOVE_ALL_SCORES = 2;

/** @returns the key under which every account keeps its follow of this one. */
export const followKey = (targetFid: number): Uint8Array =>
  lookupKey({ type: MessageType.LINK_ADD, linkBody: { type: 'follow', targetFid } }).key;

/** Condition for follows in force among the messages of one author, in the words of the index `message_page`. */
export const followMessage = (alias: string): string =>
  `${alias}.type = ${MessageType.LINK_ADD} and ${alias}.subtype = ${LinkSubtype.follow} and not ${alias}.void`;

/**
 * A join that finds the app behind a follow.
 * @param signerFid SQL of the fid that follows
 * @param link SQL name of what has the follow's `ts` and `hash`
 */
export const followApp = (signerFid: string, link: string): string => `
  left join lateral (
    select k.request_fid
      from message m
      join signer_key k on k.fid = m.fid and k.key = m.signer and k.key_type = 1
     where m.fid = ${signerFid} and ${followMessage('m')} and m.ts = ${link}.ts and m.hash = ${link}.hash
     limit 1
  ) app on true`;

// Lateral joins with a limit stay a look at the primary key for each row, whatever number of rows the planner expects.

/** A join that finds an account that exists, as `a`. */
export const existingAccount = (person: string): string => `
  cross join lateral (
    select a.score from account a where a.fid = ${person} and ${accountExists('a')} limit 1
  ) a`;

/** A join that finds the score of an account, stored or not, as `a`: lists hold everybody whom counters count. */
export const listedAccount = (person: string): string => `
  cross join lateral (
    select coalesce((select k.score from account k where k.fid = ${person}), 0::real) as score
  ) a`;

/** A join that keeps the accounts whose follow stands under this key. */
export const followsBack = (person: string, key: string): string => `
  cross join lateral (
    select b.ts, b.hash from message b
     where b.fid = ${person} and b.message_set = ${MessageSet.link} and b.key = ${key}::bytea
       and b.type = ${MessageType.LINK_ADD} and not b.void
     limit 1
  ) b`;

interface Source {
  /** The follows, as `l`. */
  readonly from: string;
  /** Condition that leaves the follows of every list of the kind. */
  readonly ofEverybody: string;
  /** Condition that leaves those of the list whose account is `$1`. */
  readonly where: string;
  /** SQL of the account that is listed. */
  readonly person: string;
  /** A join that keeps the accounts that follow back; the placeholder is the key of a follow of the list's account. */
  readonly mutual?: (key: string) => string;
  /** SQL of the fid that follows, where the app behind the follow is shown. */
  readonly signer?: string;
}

const FOLLOWS = followMessage('l');
const FOLLOWERS = `l.type = ${LinkSubtype.follow}`;

const byAuthor = {
  from: 'message l',
  ofEverybody: FOLLOWS,
  where: `l.fid = $1 and ${FOLLOWS}`,
  person: 'l.target_fid',
};

/** Where the rows of each list come from, before the audience is asked. */
export const FOLLOW_SOURCES: Readonly<Record<FollowKind, Source>> = {
  followers: {
    from: 'link l',
    ofEverybody: FOLLOWERS,
    where: `l.target_fid = $1 and ${FOLLOWERS}`,
    person: 'l.fid',
    signer: 'p.fid',
  },
  following: { ...byAuthor, signer: '$1' },
  // Led by the account's own follows, which its storage bounds; nothing bounds its followers.
  reciprocal: {
    ...byAuthor,
    mutual: (key) => followsBack('l.target_fid', key),
  },
};

const withApp = ({ signer }: Source, page: string, order: string): string => `
  select p.fid, p.ts, encode(p.hash, 'hex') as hash, ${signer === undefined ? 'null' : 'app.request_fid'} as app_fid,
         p.score
    from (${page}) p
    ${signer === undefined ? '' : followApp(signer, 'p')}
   order by ${order}`;

type Row = FollowRow & { readonly score: number };

interface Statements {
  readonly edge: Statement<Place>;
  readonly byTime: Statement<Row>;
  readonly byScore: Statement<Row>;
}

const statementsOf = (kind: FollowKind): Statements => {
  const source = FOLLOW_SOURCES[kind];
  const { from, where, person, mutual } = source;
  const latestFirst = 'l.ts desc, l.hash desc';
  return {
    // A limit that the planner does not know keeps it on the index: it takes most lists for short, and would sort them.
    edge: statement<Place>(
      `follow_${kind}_edge`,
      `select l.ts, encode(l.hash, 'hex') as hash from ${from}
        where ${where} and l.ts <= $2::integer
        order by ${latestFirst} offset $3::integer limit $4::integer`,
    ),
    byTime: statement<Row>(
      `follow_${kind}_by_time`,
      withApp(
        source,
        `select ${person} as fid, l.ts, l.hash, a.score
           from ${from} ${listedAccount(person)} ${mutual?.('$7') ?? ''}
          where ${where} and (l.ts, l.hash) < ($4::integer, $5::bytea)
            and ${visibleTo(person, '$2', '$3')}
          order by ${latestFirst} limit $6`,
        'p.ts desc, p.hash desc',
      ),
      kind === 'followers'
        ? ([followed, viewer, appId], rows) => [
            followersOf(followed as number),
            ...audienceTagsOf(viewer, appId),
            ...rows.map((row) => signersOf(row.fid)),
          ]
        : undefined,
    ),
    // Sorted first and looked at for visibility afterwards, so that only as many rows are looked at as are shown.
    byScore: statement<Row>(
      `follow_${kind}_by_score`,
      withApp(
        source,
        `select s.fid, s.ts, s.hash, s.score
           from (select ${person} as fid, l.ts, l.hash, a.score
                   from ${from} ${listedAccount(person)} ${mutual?.('$11') ?? ''}
                  where ${where} and (l.ts, l.hash) >= ($8::integer, $9::bytea) and l.ts <= $10::integer
                    and (a.score, l.ts, l.hash) < ($7::real, $4::integer, $5::bytea)
                  order by a.score desc, ${latestFirst}) s
          where ${visibleTo('s.fid', '$2', '$3')}
          order by s.score desc, s.ts desc, s.hash desc limit $6`,
        'p.score desc, p.ts desc, p.hash desc',
      ),
    ),
  };
};

const STATEMENTS: Record<FollowKind, Statements> = {
  followers: statementsOf('followers'),
  following: statementsOf('following'),
  reciprocal: statementsOf('reciprocal'),
};

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/**
 * One page of a list of accounts, at most three statements. Those that the audience does not see are left out by the
 * queries; all others are listed, whether anything of them is stored or not.
 * @returns at most `limit` rows, and the place of the last one when there are more
 */
export const selectFollows = async (
  db: Reader,
  kind: FollowKind,
  fid: number,
  { appId, viewer }: Audience,
  { ranked, horizon, after, limit }: FollowPage,
): Promise<{ readonly rows: readonly FollowRow[]; readonly next: FollowPlace | null }> => {
  const { edge: edgeOf, byTime, byScore } = STATEMENTS[kind];
  const key: Param[] = kind === 'reciprocal' ? [followKey(fid)] : [];
  const who: Param[] = [fid, viewer, appId];
  const first = ranked && after === undefined ? await db.read(edgeOf, [fid, horizon, RANKED - 1, 1]) : [];
  const edge = after === undefined ? (first[0] ?? null) : after.edge;
  const wanted = limit + 1;
  const found: (Row & { readonly isRanked: boolean })[] = [];

  if (ranked && after?.score !== null) {
    const last = after ?? NOW;
    const place = [last.ts, bytes(last.hash), wanted, after?.score ?? ABOVE_ALL_SCORES];
    const { ts, hash } = edge ?? BEGINNING;
    const rows = await db.read(byScore, [...who, ...place, ts, bytes(hash), horizon, ...key]);
    found.push(...rows.map((row) => ({ ...row, isRanked: true })));
  }
  if (found.length < wanted && (edge !== null || !ranked)) {
    const last = after !== undefined && after.score === null ? after : (edge ?? NOW);
    const rows = await db.read(byTime, [...who, last.ts, bytes(last.hash), wanted - found.length, ...key]);
    found.push(...rows.map((row) => ({ ...row, isRanked: false })));
  }
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    rows: found.slice(0, limit),
    next: last === undefined ? null : { ts: last.ts, hash: last.hash, score: last.isRanked ? last.score : null, edge },
  };
};
