import type { Session } from '../../db/statement.js';
import { writeRows } from '../query-function.js';
import type { CastId } from './cast.js';

const ID = { fid: 'bigint', hash: 'bytea' } as const;

/** Statements for the references of a cast `c` to its parent, mentioned accounts and quoted casts. */
const references = [
  writeRows(
    'update_reply_thread_roots',
    ID,
    (rows) => `update cast_reply r set root_parent_url = c.root_parent_url
     from (${rows}) k join "cast" c on c.fid = k.fid and c.hash = k.hash
    where r.parent_fid = c.parent_fid and r.parent_hash = c.parent_hash and r.ts = c.ts and r.hash = c.hash`,
  ).done(),
  writeRows(
    'update_mention_thread_roots',
    ID,
    (rows) => `update cast_mention r set root_parent_url = c.root_parent_url
     from (${rows}) k join "cast" c on c.fid = k.fid and c.hash = k.hash cross join lateral unnest(c.mentions) m(fid)
    where r.mentioned_fid = m.fid and r.ts = c.ts and r.hash = c.hash`,
  ).done(),
  writeRows(
    'update_quote_thread_roots',
    ID,
    (rows) => `update cast_quote r set root_parent_url = c.root_parent_url
     from (${rows}) k join "cast" c on c.fid = k.fid and c.hash = k.hash cross join lateral jsonb_array_elements(c.embeds) e
    where e ? 'hash' and r.quoted_fid = (e ->> 'fid')::bigint and r.quoted_hash = decode(e ->> 'hash', 'hex')
      and r.ts = c.ts and r.hash = c.hash`,
  ).done(),
];

/** Copies the parent URL of these stored casts' threads to the casts' replies, mentions and quotes. */
export const updateReferenceThreadRoots = async (session: Session, casts: readonly CastId[]): Promise<void> => {
  for (const update of references) await update(session, casts);
};

/** Copies the parent URL of these casts' threads, null for casts that are not stored, to the groups of their reactions. */
export const updateGroupThreadRoots = writeRows(
  'update_group_thread_roots',
  ID,
  (rows) => `update reaction_group g set root_parent_url = c.root_parent_url
     from (${rows}) k left join "cast" c on c.fid = k.fid and c.hash = k.hash
    where g.target_fid = k.fid and g.target_hash = k.hash and g.root_parent_url is distinct from c.root_parent_url`,
).done((casts: readonly CastId[]) => [casts]);
