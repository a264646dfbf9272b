import { MessageType, OnChainEventType, ReactionType } from '@farcaster/core';
import type { Reader } from '../../db/statement.js';
import { type RowOf, readQuery } from '../query-function.js';
import { followMessage } from './follow.js';

/** Accounts of a batch, and how much is read of each. */
export interface BatchRead {
  readonly fids: readonly number[];
  /** The newest messages or events of each account that are read. */
  readonly limit: number;
  /** Bytes of each account after which rows come without their content; undefined: any number. */
  readonly bytes: number;
}

/** Each is a part of the index that is read in order. */
const REACTION_TYPES = [ReactionType.NONE, ReactionType.LIKE, ReactionType.RECAST].join();

type Counted = Pick<BatchRead, 'fids' | 'limit'>;

/**
 * The newest rows of each account, in one statement. A join that is limited for each account reads no more of an index
 * than it returns, however many messages an account has.
 * @param columns of the rows, as `m`
 * @param newest SQL that selects the rows of account `k.fid`, newest first, up to `:limit`
 * @param order of the rows of an account, newest first
 */
const ofEach = (columns: string, newest: string, order: string): string => `
  select k.fid as "fid!", ${columns}
    from unnest(:fids::bigint[]) as k(fid)
    cross join lateral (${newest}) m
   order by k.fid, ${order}`;

/**
 * As {@link ofEach}, for rows with a member of any length: once the rows before have `:bytes`, it is null.
 * @param content the name of the member
 */
const withinBytes = (content: string, columns: string, newest: string, order: string): string =>
  ofEach(
    `${columns}, case when m.before <= :bytes::integer then m.content end as "${content}"`,
    `select n.*, n.${content} as content,
            sum(octet_length(n.${content})) over (order by ${order}) - octet_length(n.${content}) as before
       from (${newest}) n`,
    order,
  );

/** Follows by an account, newest first. */
export const selectBatchFollows = readQuery(
  'batch_follow',
  ofEach(
    'm.target_fid as "targetFid!", m.ts as "ts!"',
    `select l.target_fid, l.ts, l.hash from message l
      where l.fid = k.fid and ${followMessage('l')}
      order by l.ts desc, l.hash desc limit :limit`,
    'm.ts desc, m.hash desc',
  ),
).rows(({ fids, limit }: Counted) => ({ fids, limit }));

/** Reactions by an account, those of no type too, newest first; the target of one to a URL is fid 0. */
export const selectBatchReactions = readQuery(
  'batch_reaction',
  ofEach(
    'm.target_fid as "targetFid!", m.ts as "ts!"',
    `select r.target_fid, r.ts, r.hash
       from unnest(array[${REACTION_TYPES}]::smallint[]) as kind(type)
       cross join lateral (
         select target_fid, ts, hash from message
          where fid = k.fid and type = ${MessageType.REACTION_ADD} and subtype = kind.type and not void
          order by ts desc, hash desc limit :limit
       ) r
      order by r.ts desc, r.hash desc limit :limit`,
    'm.ts desc, m.hash desc',
  ),
).rows(({ fids, limit }: Counted) => ({ fids, limit }));

/** Casts by an account, newest first, without what they say. */
export const selectBatchCastReferences = readQuery(
  'batch_cast_reference',
  ofEach(
    'm.parent_fid as "parentFid", m.mentions as "mentions!", m.ts as "ts!"',
    `select parent_fid, mentions, ts, hash from "cast"
      where fid = k.fid order by ts desc, hash desc limit :limit`,
    'm.ts desc, m.hash desc',
  ),
).rows(({ fids, limit }: Counted) => ({ fids, limit }));

/** Signed data of the casts by an account, newest first; null after `bytes`. */
export const selectBatchCasts = readQuery(
  'batch_cast',
  withinBytes(
    'data',
    'm.hash as "hash!", m.data_form as "dataForm!"',
    `select data, data_form, ts, hash from message
      where fid = k.fid and type = ${MessageType.CAST_ADD} and subtype = 0 and not void
      order by ts desc, hash desc limit :limit`,
    'ts desc, hash desc',
  ),
).rows();

/** Onchain events of one type of an account as protobuf, newest first; null after `bytes`. */
const selectBatchEvents = readQuery(
  'batch_onchain_event',
  withinBytes(
    'body',
    'm.type as "type!"',
    `select body, type, block_number, log_index from onchain_event
      where fid = k.fid and type = :type::smallint
      order by block_number desc, log_index desc limit :limit`,
    'block_number desc, log_index desc',
  ),
).rows();

export type BatchEventRow = RowOf<'batch_onchain_event'>;

/** Events of the key registry: keys that were added and removed, and resets. */
export const selectBatchSignerEvents = (session: Reader, read: BatchRead): Promise<BatchEventRow[]> =>
  selectBatchEvents(session, { ...read, type: OnChainEventType.EVENT_TYPE_SIGNER });

/** Events of the id registry. */
export const selectBatchIdRegisterEvents = (session: Reader, read: BatchRead): Promise<BatchEventRow[]> =>
  selectBatchEvents(session, { ...read, type: OnChainEventType.EVENT_TYPE_ID_REGISTER });
