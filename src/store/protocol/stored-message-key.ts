import { selectQuery } from '../query-function.js';
import type { MessageKey } from './message.js';

/** A stored message that is not void. */
export interface StoredMessageKey extends MessageKey {
  readonly hash: Buffer;
}

/**
 * @returns the keys of an account's messages in these sets, without void links: a hub has deleted those, while they are
 *   kept here for a later compact state.
 */
export const selectStoredMessageKeys = selectQuery(
  'select_stored_message_keys',
  'select fid, message_set as "messageSet", key, hash from message where fid = :fid and message_set = any(:sets) and not void',
).rows((fid: number, sets: readonly number[]) => ({ fid, sets }));

/**
 * @returns the non-void messages that refer to an account: links to it, casts that mention it, and reactions and
 *   replies to the given casts. 3, 5 and 1 are the protocol's numbers of these message types.
 */
export const selectReferencingMessages = selectQuery(
  'select_referencing_messages',
  `select m.fid, m.message_set as "messageSet", m.key, m.hash from (
      select fid, 3 as type, type as subtype, ts, hash from reaction where target_fid = :fid and target_hash = any(:casts)
      union select fid, 5, type, ts, hash from link where target_fid = :fid
      union select fid, 1, 0, ts, hash from cast_reply where parent_fid = :fid and parent_hash = any(:casts)
      union select fid, 1, 0, ts, hash from cast_mention where mentioned_fid = :fid
    ) k join message m using (fid, type, subtype, ts, hash) where not m.void`,
).rows((fid: number, casts: readonly Uint8Array[]) => ({ fid, casts }));

export const selectRegisteredFids = selectQuery(
  'select_registered_fids',
  'select fid from account where custody_address is not null',
).column('fid');
