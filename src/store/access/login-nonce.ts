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

/** Uses up a nonce. @returns whether it was valid for this app; of two concurrent calls only one returns true. */
export const deleteLoginNonce = writeQuery(
  'delete_login_nonce',
  'delete from login_nonce where nonce = :nonce and app_id = :appId::uuid and expires_at > :now returning nonce',
).hasRows((nonce: string, appId: string, now: Date) => ({ nonce, appId, now }));
