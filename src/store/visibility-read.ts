import { type Database, statement } from './database.js';
import { type Audience, visibleTo } from './visibility.js';

const hiddenAccounts = statement<{ fid: number }>(
  'hidden_account',
  `select f.fid from unnest($1::bigint[]) as f(fid) where not (${visibleTo('f.fid', '$2', '$3')})`,
);

/**
 * The rule of visibility for accounts that no list was made of, such as the authors of embedded casts.
 * @returns those of the fids that are not shown
 */
export const selectHidden = async (
  db: Database,
  fids: readonly number[],
  { viewer, appId }: Audience,
): Promise<number[]> => (await db.read(hiddenAccounts, [fids, viewer, appId])).map((row) => row.fid);

const hasBan = statement<{ found: boolean }>(
  'app_has_ban',
  'select exists (select from ban where app_id = $1::uuid) as found',
);

/** @returns whether the app has banned anybody at all. */
export const selectHasBan = async (db: Database, appId: string): Promise<boolean> =>
  (await db.read(hasBan, [appId]))[0]?.found ?? false;
