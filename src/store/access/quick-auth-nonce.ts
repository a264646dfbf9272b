import type { Session } from '../../db/statement.js';
import { writeQuery } from '../query-function.js';

const deleteExpired = writeQuery(
  'quick_auth_nonce_expired_delete',
  'delete from quick_auth_nonce where expires_at <= :now',
).done();
const insert = writeQuery(
  'quick_auth_nonce_insert',
  'insert into quick_auth_nonce (nonce, expires_at) values (:nonce, :expiresAt)',
).done();

/** Stores a nonce and deletes expired ones. */
export const insertQuickAuthNonce = async (
  session: Session,
  { nonce, expiresAt, now }: { readonly nonce: string; readonly expiresAt: Date; readonly now: Date },
): Promise<void> => {
  await deleteExpired(session, { now });
  await insert(session, { nonce, expiresAt });
};

/** @returns whether the nonce was there and had not expired; of concurrent calls only one returns true */
export const useQuickAuthNonce = writeQuery(
  'quick_auth_nonce_use',
  'delete from quick_auth_nonce where nonce = :nonce and expires_at > :now returning nonce',
).hasRows();
