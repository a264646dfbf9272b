import { MessageType } from '@farcaster/core';
import { type Param, type Reader, type Statement, statement } from '../../db/statement.js';
import type { PagePosition } from '../../protocol/page-token.js';
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

interface Directed<Row> {
  readonly forward: Statement<Row>;
  readonly backward: Statement<Row>;
}

/** Makes the statements for both directions; `text` gets the comparison with the cursor and the sort direction. */
const directed = <Row>(
  name: string,
  text: (past: '>' | '<', order: 'asc' | 'desc') => string,
  tags?: Statement<Row>['tags'],
): Directed<Row> => ({
  forward: statement<Row>(name, text('>', 'asc'), tags),
  backward: statement<Row>(`${name}_reverse`, text('<', 'desc'), tags),
});

const LATEST = 2_147_483_647;
const ABOVE_ALL_HASHES = Buffer.alloc(21, 0xff);

/** @returns the parameters ts, hash and limit; a timestamp above PostgreSQL's integer becomes the largest one */
const pageParams = ({ after, reverse, limit }: MessagePage): [number, Uint8Array, number] => {
  if (after !== undefined) return [Math.min(after.timestamp, LATEST), after.hash, limit];
  return reverse ? [LATEST, ABOVE_ALL_HASHES, limit] : [-1, Buffer.alloc(0), limit];
};

const read = <Row>(session: Reader, list: Directed<Row>, params: readonly Param[], page: MessagePage): Promise<Row[]> =>
  session.read(page.reverse ? list.backward : list.forward, [...params, ...pageParams(page)]);

type Reference = Omit<MessageReference, 'type'>;

const SIGNATURE_BYTES = 8;

/** SQL of a signature's first bytes, padded to a fixed length. */
const signaturePrefix = (message: string): string =>
  `substring(coalesce(${message}.signature, ''::bytea) || decode('${'00'.repeat(SIGNATURE_BYTES)}', 'hex') from 1 for ${SIGNATURE_BYTES})`;

/**
 * Makes the statements of a list from a table without signatures: `text` selects fid, subtype, ts and hash of a page.
 * Each signature is looked up separately, because a plain join could scan the whole table for a short page.
 */
const withSignature = (
  name: string,
  type: MessageType,
  text: (past: '>' | '<', order: 'asc' | 'desc') => string,
): Directed<Reference> =>
  directed(
    name,
    (past, order) => `select p.fid, p.subtype, p.ts, p.hash, ${signaturePrefix('m')} as signature
     from (${text(past, order)}) p
     left join lateral (
       select signature from message
        where fid = p.fid and type = ${type} and subtype = p.subtype and ts = p.ts and hash = p.hash and not void limit 1
     ) m on true order by p.ts ${order}, p.hash ${order}`,
  );

/** Reads a page of messages of one type. */
const readReferences = async (
  session: Reader,
  list: Directed<Reference>,
  type: number,
  params: readonly Param[],
  page: MessagePage,
): Promise<MessageReference[]> => (await read(session, list, params, page)).map((row) => ({ ...row, type }));

/** A page as one row, because the driver would take longer for 25 rows than the database takes to find them. */
interface PackedPage {
  readonly subtypes: readonly number[] | null;
  readonly timestamps: readonly number[] | null;
  /** The concatenated hashes. */
  readonly hashes: Buffer | null;
  /** The concatenated signatures. */
  readonly signatures: Buffer | null;
}

const HASH_BYTES = 20;

/** Each subtype is read from the index in order, so a page sorts only its own rows. */
const byAuthor = directed<PackedPage>(
  'hub_message_by_author',
  (past, order) => `select array_agg(p.subtype) as subtypes, array_agg(p.ts) as timestamps,
      string_agg(p.hash, ''::bytea) as hashes, string_agg(p.signature, ''::bytea) as signatures
    from (
      select m.subtype, m.ts, m.hash, ${signaturePrefix('m')} as signature
        from unnest($3::smallint[]) as k(subtype)
        cross join lateral (
          select subtype, ts, hash, signature from message
           where fid = $1 and type = $2 and subtype = k.subtype and not void
             and (ts, hash) ${past} ($4::integer, $5::bytea)
           order by ts ${order}, hash ${order} limit $6
        ) m
       order by m.ts ${order}, m.hash ${order} limit $6
    ) p`,
  ([fid, type]) => (type === MessageType.CAST_ADD ? [feedOf(fid as number)] : undefined),
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
  const [packed] = await read(session, byAuthor, [fid, type, subtypes], page);
  const { hashes, signatures } = packed ?? {};
  if (!packed?.subtypes || !packed.timestamps || !hashes || !signatures) return [];
  const { timestamps } = packed;
  return packed.subtypes.map((subtype, index) => ({
    fid,
    type,
    subtype,
    ts: timestamps[index] as number,
    hash: hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    signature: signatures.subarray(index * SIGNATURE_BYTES, (index + 1) * SIGNATURE_BYTES),
  }));
};

const bySet = directed<Reference>(
  'hub_message_by_set',
  (past, order) => `select fid, subtype, ts, hash, ${signaturePrefix('message')} as signature from message
    where fid = $1 and message_set = $2 and type = $3 and not void and (ts, hash) ${past} ($4::integer, $5::bytea)
    order by ts ${order}, hash ${order} limit $6`,
);

/** Messages of one kind from a set with few messages per account: user data, verifications. */
export const selectMessagesBySet = (
  session: Reader,
  fid: number,
  messageSet: number,
  type: number,
  page: MessagePage,
): Promise<MessageReference[]> => readReferences(session, bySet, type, [fid, messageSet, type], page);

const reactions = withSignature(
  'hub_reaction_by_target',
  MessageType.REACTION_ADD,
  (past, order) => `select r.fid, r.type as subtype, r.ts, r.hash
    from unnest($3::smallint[]) as k(type)
    cross join lateral (
      select fid, type, ts, hash from reaction
       where target_fid = $1 and target_hash = $2 and type = k.type and (ts, hash) ${past} ($4::integer, $5::bytea)
       order by ts ${order}, hash ${order} limit $6
    ) r
   order by r.ts ${order}, r.hash ${order} limit $6`,
);

/** Reactions to one target; a target URL is given as fid 0 and its `urlDigest`. */
export const selectReactionsByTarget = (
  session: Reader,
  target: { readonly fid: number; readonly hash: Uint8Array },
  reactionTypes: readonly number[],
  page: MessagePage,
): Promise<MessageReference[]> =>
  readReferences(session, reactions, MessageType.REACTION_ADD, [target.fid, target.hash, reactionTypes], page);

const links = withSignature(
  'hub_link_by_target',
  MessageType.LINK_ADD,
  (past, order) => `select l.fid, l.type as subtype, l.ts, l.hash
    from unnest($2::smallint[]) as k(type)
    cross join lateral (
      select fid, type, ts, hash from link
       where target_fid = $1 and type = k.type and (ts, hash) ${past} ($3::integer, $4::bytea)
       order by ts ${order}, hash ${order} limit $5
    ) l
   order by l.ts ${order}, l.hash ${order} limit $5`,
);

/** Links to one account. @param linkTypes 1 follow, 2 block, 0 other */
export const selectLinksByTarget = (
  session: Reader,
  targetFid: number,
  linkTypes: readonly number[],
  page: MessagePage,
): Promise<MessageReference[]> => readReferences(session, links, MessageType.LINK_ADD, [targetFid, linkTypes], page);

const mentions = withSignature(
  'hub_cast_by_mention',
  MessageType.CAST_ADD,
  (past, order) => `select fid, 0 as subtype, ts, hash from cast_mention
    where mentioned_fid = $1 and (ts, hash) ${past} ($2::integer, $3::bytea)
    order by ts ${order}, hash ${order} limit $4`,
);

export const selectCastsByMention = (
  session: Reader,
  mentionedFid: number,
  page: MessagePage,
): Promise<MessageReference[]> => readReferences(session, mentions, MessageType.CAST_ADD, [mentionedFid], page);

const replies = withSignature(
  'hub_cast_by_parent',
  MessageType.CAST_ADD,
  (past, order) => `select fid, 0 as subtype, ts, hash from cast_reply
    where parent_fid = $1 and parent_hash = $2 and (ts, hash) ${past} ($3::integer, $4::bytea)
    order by ts ${order}, hash ${order} limit $5`,
);

/** Replies to one parent; a parent URL is given as fid 0 and its `urlDigest`. */
export const selectCastsByParent = (
  session: Reader,
  parent: { readonly fid: number; readonly hash: Uint8Array },
  page: MessagePage,
): Promise<MessageReference[]> =>
  readReferences(session, replies, MessageType.CAST_ADD, [parent.fid, parent.hash], page);
