import { type Session, statement } from '../../db/statement.js';

const proExpiry = statement<{ at: Date | null }>(
  'hub_pro_expiry',
  'select pro_expires_at as at from account where fid = $1',
);

/** @returns the past or future end of the account's pro subscription; undefined when it never had one */
export const selectProExpiry = async (session: Session, fid: number): Promise<Date | undefined> =>
  (await session.read(proExpiry, [fid]))[0]?.at ?? undefined;
