import { rowSource } from './bulk.js';
import type { CastId } from './cast.js';
import type { Session } from './database.js';

const ID = { fid: 'bigint', hash: 'bytea' } as const;

/** Rows of the tables that name a cast's parent, accounts and quoted casts, as the cast `c` names them. */
const REFERENCES = [
  `update cast_reply r set root_parent_url = c.root_parent_url
     from (KEYS) k join "cast" c on c.fid = k.fid and c.hash = k.hash
    where r.parent_fid = c.parent_fid and r.parent_hash = c.parent_hash and r.ts = c.ts and r.hash = c.hash`,
  `update cast_mention r set root_parent_url = c.root_parent_url
     from (KEYS) k join "cast" c on c.fid = k.fid and c.hash = k.hash cross join lateral unnest(c.mentions) m(fid)
    where r.mentioned_fid = m.fid and r.ts = c.ts and r.hash = c.hash`,
  `update cast_quote r set root_parent_url = c.root_parent_url
     from (KEYS) k join "cast" c on c.fid = k.fid and c.hash = k.hash cross join lateral jsonb_array_elements(c.embeds) e
    where e ? 'hash' and r.quoted_fid = (e ->> 'fid')::bigint and r.quoted_hash = decode(e ->> 'hash', 'hex')
      and r.ts = c.ts and r.hash = c.hash`,
];

/** Tells the replies, mentions and quotes that these stored casts are under which parent URL their threads begin now. */
export const updateReferencePlaces = async (session: Session, casts: readonly CastId[]): Promise<void> => {
  if (casts.length === 0) return;
  const { select, params } = rowSource(ID, casts);
  for (const update of REFERENCES) await session.run(update.replace('KEYS', select), params);
};

/** Tells the groups of reactions to these casts, stored or not, under which parent URL their threads begin now. */
export const updateGroupPlaces = async (session: Session, casts: readonly CastId[]): Promise<void> => {
  if (casts.length === 0) return;
  const { select, params } = rowSource(ID, casts);
  await session.run(
    `update reaction_group g set root_parent_url = c.root_parent_url
       from (${select}) k left join "cast" c on c.fid = k.fid and c.hash = k.hash
      where g.target_fid = k.fid and g.target_hash = k.hash and g.root_parent_url is distinct from c.root_parent_url`,
    params,
  );
};
