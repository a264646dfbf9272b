import type { Session } from './database.js';
import type { MessageKey } from './message.js';

/** A message that an account has in force here. */
export interface HeldMessage extends MessageKey {
  readonly hash: Buffer;
}

/**
 * @returns which messages of these sets an account has in force, without their bytes. Void links are left out: a hub
 *   has deleted them, here they wait for another compact state.
 */
export const selectHeldMessages = (session: Session, fid: number, sets: readonly number[]): Promise<HeldMessage[]> =>
  session.run<HeldMessage>(
    'select fid, message_set, key, hash from message where fid = $1 and message_set = any($2) and not void',
    [fid, sets],
  );

/** @returns those of the fids that are registered here. */
export const selectRegisteredFids = async (session: Session, fids: readonly number[]): Promise<number[]> => {
  const rows = await session.run<{ fid: number }>(
    'select fid from account where fid = any($1) and custody_address is not null',
    [fids],
  );
  return rows.map((row) => row.fid);
};
