import { type Session, sql } from '../../db/statement.js';
import { writeQuery } from '../query-function.js';

const deleteExpiredNoncesSql = sql('delete_expired_nonces', 'delete from login_nonce where expires_at <= $1');
const insertLoginNonceSql = sql(
  'insert_login_nonce',
  'insert into login_nonce (nonce, app_id, expires_at) values ($1, $2::uuid, $3)',
);

/** Stores a nonce and deletes expired ones. */
export const insertLoginNonce = async (
  session: Session,
  row: { readonly nonce: string; readonly appId: string; readonly expiresAt: Date; readonly now: Date },
): Promise<void> => {
  await session.run(deleteExpiredNoncesSql, [row.now]);
  await session.run(insertLoginNonceSql, [row.nonce, row.appId, row.expiresAt]);
};

/** Uses up a nonce. @returns whether it was valid for this app; of two concurrent calls only one returns true. */
export const deleteLoginNonce = writeQuery(
  'delete_login_nonce',
  'delete from login_nonce where nonce = $1 and app_id = $2::uuid and expires_at > $3 returning nonce',
).hasRows((nonce: string, appId: string, now: Date) => [nonce, appId, now]);
