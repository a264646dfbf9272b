import type { Session } from './database.js';
import type { MessageKey } from './message.js';

/** A message that is in force here. */
export interface HeldMessage extends MessageKey {
  readonly hash: Buffer;
}

/**
 * @returns which messages of these sets an account has in force, without their bytes. Void links are left out: a hub
 *   has deleted them, here they wait for another compact state.
 */
export const selectHeldMessages = (session: Session, fid: number, sets: readonly number[]): Promise<HeldMessage[]> =>
  session.select<HeldMessage>(
    'select fid, message_set, key, hash from message where fid = $1 and message_set = any($2) and not void',
    [fid, sets],
  );

/**
 * @returns which messages addressed to an account are in force: links to it, casts that mention it, reactions and
 *   replies to those of its casts that are named. 3, 5 and 1 are the protocol's numbers of these kinds of message.
 */
export const selectAddressedMessages = (
  session: Session,
  fid: number,
  casts: readonly Uint8Array[],
): Promise<HeldMessage[]> =>
  session.select<HeldMessage>(
    `select m.fid, m.message_set, m.key, m.hash from (
       select fid, 3 as type, type as subtype, ts, hash from reaction where target_fid = $1 and target_hash = any($2)
       union select fid, 5, type, ts, hash from link where target_fid = $1
       union select fid, 1, 0, ts, hash from cast_reply where parent_fid = $1 and parent_hash = any($2)
       union select fid, 1, 0, ts, hash from cast_mention where mentioned_fid = $1
     ) k join message m using (fid, type, subtype, ts, hash) where not m.void`,
    [fid, casts],
  );

/** @returns all accounts that are registered here. */
export const selectRegisteredFids = async (session: Session): Promise<number[]> => {
  const rows = await session.select<{ fid: number }>('select fid from account where custody_address is not null');
  return rows.map((row) => row.fid);
};
