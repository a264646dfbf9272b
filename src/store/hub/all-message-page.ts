import { MessageType } from '@farcaster/core';
import type { Reader } from '../../db/statement.js';
import { MessageSet } from '../../protocol/conflict.js';
import { LinkSubtype } from '../../protocol/link-subtype.js';
import { directed, type MessagePage, type MessageReference, signaturePrefix } from './message-page.js';

/** Each kind is read from the index in order, so a page sorts only its own rows. */
const byKind = directed(
  'hub_message_by_kind',
  (
    past,
    order,
  ) => `select m.fid as "fid!", m.type as "type!", m.subtype as "subtype!", m.ts as "ts!", m.hash as "hash!", ${signaturePrefix('m')} as "signature!"
    from unnest(:types::smallint[], :subtypes::smallint[]) as k(type, subtype)
    cross join lateral (
      select fid, type, subtype, ts, hash, signature from message
       where fid = :fid and type = k.type and subtype = k.subtype and not void
         and (ts, hash) ${past} (:ts::integer, :hash::bytea)
       order by ts ${order}, hash ${order} limit :limit
    ) m
   order by m.ts ${order}, m.hash ${order} limit :limit`,
);

const byWholeSet = directed(
  'hub_message_by_whole_set',
  (past, order) => `select fid, type, subtype, ts, hash, ${signaturePrefix('message')} as "signature!" from message
    where fid = :fid and message_set = :messageSet and not void and (ts, hash) ${past} (:ts::integer, :hash::bytea)
    order by ts ${order}, hash ${order} limit :limit`,
);

type Kinds = readonly (readonly [type: MessageType, subtype: number])[];

const kindsOf = (types: readonly MessageType[], subtypes: readonly number[]): Kinds =>
  types.flatMap((type) => subtypes.map((subtype) => [type, subtype] as const));

/** Kinds of messages in the sets that may be large; the other sets have few messages of an account. */
const KINDS: Readonly<Record<number, Kinds>> = {
  [MessageSet.cast]: kindsOf([MessageType.CAST_ADD, MessageType.CAST_REMOVE], [0]),
  [MessageSet.reaction]: kindsOf([MessageType.REACTION_ADD, MessageType.REACTION_REMOVE], [1, 2]),
  [MessageSet.link]: kindsOf([MessageType.LINK_ADD, MessageType.LINK_REMOVE], Object.values(LinkSubtype)),
};

/** All messages of an account in one set: those that add, and those that remove. */
export const selectAllMessages = (
  session: Reader,
  fid: number,
  messageSet: number,
  page: MessagePage,
): Promise<MessageReference[]> => {
  const kinds = KINDS[messageSet];
  if (kinds === undefined) return byWholeSet(session, { fid, messageSet }, page);
  return byKind(
    session,
    { fid, types: kinds.map(([type]) => type), subtypes: kinds.map(([, subtype]) => subtype) },
    page,
  );
};
