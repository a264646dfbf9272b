import type { Session } from './database.js';

/** Keeps a nonce, and lets those go that have lapsed. */
export const insertLoginNonce = async (
  session: Session,
  row: { readonly nonce: string; readonly appId: string; readonly expiresAt: Date; readonly now: Date },
): Promise<void> => {
  await session.run('delete from login_nonce where expires_at <= $1', [row.now]);
  await session.run('insert into login_nonce (nonce, app_id, expires_at) values ($1, $2::uuid, $3)', [
    row.nonce,
    row.appId,
    row.expiresAt,
  ]);
};

/** Takes a nonce. @returns whether it was this app's and good; of two who take it at once, one is told so. */
export const deleteLoginNonce = async (session: Session, nonce: string, appId: string, now: Date): Promise<boolean> =>
  (
    await session.run(
      'delete from login_nonce where nonce = $1 and app_id = $2::uuid and expires_at > $3 returning nonce',
      [nonce, appId, now],
    )
  ).length > 0;
