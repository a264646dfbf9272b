import { type Database, statement } from './database.js';
import { type Audience, visibleTo } from './visibility.js';

/** What an app and a viewer do not get to see. */
export interface HiddenRow {
  /** Whether the app has banned anybody at all. */
  readonly has_ban: boolean;
  /** Those of the asked fids that are not shown; null: none. */
  readonly fids: number[] | null;
}

const hiddenAccounts = statement<HiddenRow>(
  'hidden_account',
  `select exists (select from ban where app_id = $3::uuid) as has_ban,
          (select json_agg(f.fid) from unnest($1::bigint[]) as f(fid) where not (${visibleTo('f.fid', '$2', '$3')})) as fids`,
);

/** The rule of visibility for accounts that no list was made of, such as the authors of embedded casts. */
export const selectHidden = async (
  db: Database,
  fids: readonly number[],
  { viewer, appId }: Audience,
): Promise<HiddenRow> => (await db.read(hiddenAccounts, [fids, viewer, appId]))[0] as HiddenRow;
