import type { Session } from '../../db/statement.js';
import { writeQuery } from '../query-function.js';

const deleteExpiredNonces = writeQuery(
  'delete_expired_nonces',
  'delete from login_nonce where expires_at <= :now',
).done();
const insertNonce = writeQuery(
  'insert_login_nonce',
  'insert into login_nonce (nonce, app_id, expires_at) values (:nonce, :appId::uuid, :expiresAt)',
).done();

/** Stores a nonce and deletes expired ones. */
export const insertLoginNonce = async (
  session: Session,
  row: { readonly nonce: string; readonly appId: string; readonly expiresAt: Date; readonly now: Date },
): Promise<void> => {
  await deleteExpiredNonces(session, { now: row.now });
  await insertNonce(session, { nonce: row.nonce, appId: row.appId, expiresAt: row.expiresAt });
};

/**
 * Uses a nonce for a message.
 * @returns whether it is valid for this app and was used for no other message; of two concurrent calls with different
 *   messages only one returns true
 */
export const useLoginNonce = writeQuery(
  'use_login_nonce',
  `update login_nonce set message_hash = :messageHash
   where nonce = :nonce and app_id = :appId::uuid and expires_at > :now
     and (message_hash is null or message_hash = :messageHash)
   returning nonce`,
).hasRows(({ nonce, appId, messageHash, now }: { nonce: string; appId: string; messageHash: Buffer; now: Date }) => ({
  nonce,
  appId,
  messageHash,
  now,
}));
