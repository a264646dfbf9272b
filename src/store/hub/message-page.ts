import { MessageType } from '@farcaster/core';
import type { Reader, Tag } from '../../db/statement.js';
import { HASH_BYTES } from '../../protocol/limit.js';
import type { PagePosition } from '../../protocol/page-token.js';
import { LATEST_TIME } from '../../protocol/time.js';
import { ABOVE_ALL_HASHES } from '../hash-order.js';
import { type ParamsOf, type RowOf, readQuery } from '../query-function.js';
import type { StatementTypes } from '../statement-types.js';
import { feedOf } from '../tag.js';

/** A page of a list. Lists of messages are sorted by (timestamp, hash), as in hubs. */
export interface MessagePage {
  /** The last message of the previous page; undefined: the first page. */
  readonly after: PagePosition | undefined;
  /** Latest first. */
  readonly reverse: boolean;
  readonly limit: number;
}

/** Identifies a message, with the columns of the index that the page was read from. */
export interface MessageReference {
  readonly fid: number;
  /** `MessageType` of the protocol. */
  readonly type: number;
  /** As `message.subtype`. */
  readonly subtype: number;
  /** Protocol seconds. */
  readonly ts: number;
  readonly hash: Buffer;
  /**
   * The first 8 bytes of its signature: another key of the account may have signed the same data after the first
   * message was removed, and then all other members are equal.
   */
  readonly signature: Buffer;
}

/** The statements of this file, named as the one that lists messages from the oldest to the latest. */
type List = Extract<keyof StatementTypes, `hub_${'message' | 'reaction' | 'link' | 'cast'}_by_${string}`>;

/** @returns the page's place; a timestamp above PostgreSQL's integer becomes the largest one */
const placeOf = ({ after, reverse, limit }: MessagePage) => {
  if (after !== undefined) return { ts: Math.min(after.timestamp, LATEST_TIME), hash: after.hash, limit };
  return reverse ? { ts: LATEST_TIME, hash: ABOVE_ALL_HASHES, limit } : { ts: -1, hash: Buffer.alloc(0), limit };
};

/** What a list is of: the parameters of its statement, apart from those of the page. */
type Subject<Of extends List> = Omit<ParamsOf<Of>, keyof ReturnType<typeof placeOf>>;

/**
 * Makes the statements for both directions, which differ in nothing else.
 * @param text gets the comparison with the page's place (`:ts`, `:hash`) and the sort direction
 * @returns a function that reads a page
 */
export const directed = <Of extends List>(
  name: Of,
  text: (past: '>' | '<', order: 'asc' | 'desc') => string,
  tags?: (params: ParamsOf<Of>) => readonly Tag[] | undefined,
) => {
  const listOf = (statement: Of, past: '>' | '<', order: 'asc' | 'desc') =>
    readQuery(statement, text(past, order), tags).rows(
      (subject: Subject<Of>, page: MessagePage) => ({ ...subject, ...placeOf(page) }) as unknown as ParamsOf<Of>,
    );
  const forward = listOf(name, '>', 'asc');
  const backward = listOf(`${name}_reverse` as Of, '<', 'desc');
  return (session: Reader, subject: Subject<Of>, page: MessagePage): Promise<RowOf<Of>[]> =>
    (page.reverse ? backward : forward)(session, subject, page);
};

/** How much of a signature a reference has. */
export const SIGNATURE_PREFIX_BYTES = 8;

/** SQL of a signature's first bytes, padded to a fixed length. */
export const signaturePrefix = (message: string): string =>
  `substring(coalesce(${message}.signature, ''::bytea) || decode('${'00'.repeat(SIGNATURE_PREFIX_BYTES)}', 'hex') from 1 for ${SIGNATURE_PREFIX_BYTES})`;

/**
 * Makes the statements of a list from a table without signatures: `text` selects fid, subtype, ts and hash of a page.
 * Each signature is looked up separately, because a plain join could scan the whole table for a short page.
 */
const withSignature = <Of extends List>(
  name: Of,
  type: MessageType,
  text: (past: '>' | '<', order: 'asc' | 'desc') => string,
) =>
  directed(
    name,
    (
      past,
      order,
    ) => `select p.fid as "fid!", p.subtype as "subtype!", p.ts as "ts!", p.hash as "hash!", ${signaturePrefix('m')} as "signature!"
     from (${text(past, order)}) p
     left join lateral (
       select signature from message
        where fid = p.fid and type = ${type} and subtype = p.subtype and ts = p.ts and hash = p.hash and not void limit 1
     ) m on true order by p.ts ${order}, p.hash ${order}`,
  );

const withType = (type: number, rows: readonly Omit<MessageReference, 'type'>[]): MessageReference[] =>
  rows.map((row) => ({ ...row, type }));

/**
 * A page as one row, because the driver would take longer for 25 rows than the database takes to find them: hashes and
 * signatures are concatenated. Each subtype is read from the index in order, so a page sorts only its own rows.
 */
const byAuthor = directed(
  'hub_message_by_author',
  (past, order) => `select array_agg(p.subtype) as subtypes, array_agg(p.ts) as timestamps,
      string_agg(p.hash, ''::bytea) as hashes, string_agg(p.signature, ''::bytea) as signatures
    from (
      select m.subtype, m.ts, m.hash, ${signaturePrefix('m')} as signature
        from unnest(:subtypes::smallint[]) as k(subtype)
        cross join lateral (
          select subtype, ts, hash, signature from message
           where fid = :fid and type = :type and subtype = k.subtype and not void
             and (ts, hash) ${past} (:ts::integer, :hash::bytea)
           order by ts ${order}, hash ${order} limit :limit
        ) m
       order by m.ts ${order}, m.hash ${order} limit :limit
    ) p`,
  ({ fid, type }) => (type === MessageType.CAST_ADD ? [feedOf(fid)] : undefined),
);

/**
 * Messages of one kind by their author: casts (subtype 0), reactions (their type), links (1 follow, 2 block, 0 other).
 * Messages overridden by compact state are left out.
 */
export const selectMessagesByAuthor = async (
  session: Reader,
  fid: number,
  type: number,
  subtypes: readonly number[],
  page: MessagePage,
): Promise<MessageReference[]> => {
  const [packed] = await byAuthor(session, { fid, type, subtypes }, page);
  const { hashes, signatures } = packed ?? {};
  if (!packed?.subtypes || !packed.timestamps || !hashes || !signatures) return [];
  const { timestamps } = packed;
  return packed.subtypes.map((subtype, index) => ({
    fid,
    type,
    subtype,
    ts: timestamps[index] as number,
    hash: hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    signature: signatures.subarray(index * SIGNATURE_PREFIX_BYTES, (index + 1) * SIGNATURE_PREFIX_BYTES),
  }));
};

const bySet = directed(
  'hub_message_by_set',
  (past, order) => `select fid, subtype, ts, hash, ${signaturePrefix('message')} as "signature!" from message
    where fid = :fid and message_set = :messageSet and type = :type and not void
      and (ts, hash) ${past} (:ts::integer, :hash::bytea)
    order by ts ${order}, hash ${order} limit :limit`,
);

/** Messages of one kind from a set with few messages per account: user data, verifications. */
export const selectMessagesBySet = async (
  session: Reader,
  fid: number,
  messageSet: number,
  type: number,
  page: MessagePage,
): Promise<MessageReference[]> => withType(type, await bySet(session, { fid, messageSet, type }, page));

const reactions = withSignature(
  'hub_reaction_by_target',
  MessageType.REACTION_ADD,
  (past, order) => `select r.fid, r.type as subtype, r.ts, r.hash
    from unnest(:types::smallint[]) as k(type)
    cross join lateral (
      select fid, type, ts, hash from reaction
       where target_fid = :targetFid and target_hash = :targetHash and type = k.type
         and (ts, hash) ${past} (:ts::integer, :hash::bytea)
       order by ts ${order}, hash ${order} limit :limit
    ) r
   order by r.ts ${order}, r.hash ${order} limit :limit`,
);

/** Reactions to one target; a target URL is given as fid 0 and its `urlDigest`. */
export const selectReactionsByTarget = async (
  session: Reader,
  target: { readonly fid: number; readonly hash: Uint8Array },
  reactionTypes: readonly number[],
  page: MessagePage,
): Promise<MessageReference[]> => {
  const subject = { targetFid: target.fid, targetHash: target.hash, types: reactionTypes };
  return withType(MessageType.REACTION_ADD, await reactions(session, subject, page));
};

const links = withSignature(
  'hub_link_by_target',
  MessageType.LINK_ADD,
  (past, order) => `select l.fid, l.type as subtype, l.ts, l.hash
    from unnest(:types::smallint[]) as k(type)
    cross join lateral (
      select fid, type, ts, hash from link
       where target_fid = :targetFid and type = k.type and (ts, hash) ${past} (:ts::integer, :hash::bytea)
       order by ts ${order}, hash ${order} limit :limit
    ) l
   order by l.ts ${order}, l.hash ${order} limit :limit`,
);

/** Links to one account. @param linkTypes 1 follow, 2 block, 0 other */
export const selectLinksByTarget = async (
  session: Reader,
  targetFid: number,
  linkTypes: readonly number[],
  page: MessagePage,
): Promise<MessageReference[]> =>
  withType(MessageType.LINK_ADD, await links(session, { targetFid, types: linkTypes }, page));

const mentions = withSignature(
  'hub_cast_by_mention',
  MessageType.CAST_ADD,
  (past, order) => `select fid, 0 as subtype, ts, hash from cast_mention
    where mentioned_fid = :mentionedFid and (ts, hash) ${past} (:ts::integer, :hash::bytea)
    order by ts ${order}, hash ${order} limit :limit`,
);

export const selectCastsByMention = async (
  session: Reader,
  mentionedFid: number,
  page: MessagePage,
): Promise<MessageReference[]> => withType(MessageType.CAST_ADD, await mentions(session, { mentionedFid }, page));

const replies = withSignature(
  'hub_cast_by_parent',
  MessageType.CAST_ADD,
  (past, order) => `select fid, 0 as subtype, ts, hash from cast_reply
    where parent_fid = :parentFid and parent_hash = :parentHash and (ts, hash) ${past} (:ts::integer, :hash::bytea)
    order by ts ${order}, hash ${order} limit :limit`,
);

/** Replies to one parent; a parent URL is given as fid 0 and its `urlDigest`. */
export const selectCastsByParent = async (
  session: Reader,
  parent: { readonly fid: number; readonly hash: Uint8Array },
  page: MessagePage,
): Promise<MessageReference[]> =>
  withType(MessageType.CAST_ADD, await replies(session, { parentFid: parent.fid, parentHash: parent.hash }, page));
