import { execute, type Session, sql } from '../../db/statement.js';
import { first, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const ITEM = [
  'kind',
  'body',
  'removal_reason',
  'fid',
  'source',
  'announce',
  'trust_signers',
  'sqlstate',
  'failure',
] as const;
const COLUMNS = ['id', ...ITEM, 'attempts', 'first_refused_at', 'last_refused_at'].join(', ');

type Kinds = {
  readonly kind: 'message' | 'removal' | 'onchain' | 'proof';
  /** Null unless `kind` is `removal`. */
  readonly removal_reason: 'prune' | 'revoke' | 'replaced' | null;
};

/** An item that could not be stored, as it was received. A `sqlstate` of null: this program rejected it. */
export type RefusedItemRow = Kinds & Written<Pick<Tables['refused_item'], (typeof ITEM)[number]>>;

export type StoredRefusedItem = Kinds & Written<Omit<Tables['refused_item'], 'digest'>>;

const upsertRefusedItemSql = sql(
  'upsert_refused_item',
  `insert into refused_item (${ITEM.join(', ')}, digest) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, sha256($2))
    on conflict (kind, digest) do update
      set removal_reason = excluded.removal_reason, sqlstate = excluded.sqlstate, failure = excluded.failure,
          attempts = refused_item.attempts + 1, last_refused_at = excluded.last_refused_at`,
);

/** Stores an item, or counts another attempt; call it in the transaction that stores the stream's position. */
export const upsertRefusedItem = (session: Session, row: RefusedItemRow): Promise<void> =>
  execute(
    session,
    upsertRefusedItemSql,
    ITEM.map((name) => row[name]),
  );

const selectRefusedItemsSql = sql<StoredRefusedItem>(
  'select_refused_items',
  `select ${COLUMNS} from refused_item where id > $1 order by id limit $2`,
);

/** @returns items after an id, in the order in which they were first rejected */
export const selectRefusedItems = (session: Session, afterId: number, limit: number): Promise<StoredRefusedItem[]> =>
  session.select(selectRefusedItemsSql, [afterId, limit]);

const selectRefusedItemSql = sql<StoredRefusedItem>(
  'select_refused_item',
  `select ${COLUMNS} from refused_item where id = $1`,
);

export const selectRefusedItem = (session: Session, id: number): Promise<StoredRefusedItem | undefined> =>
  first(session.select(selectRefusedItemSql, [id]));

const selectFidsWithRefusedItemsSql = sql<{ fid: number }>(
  'select_fids_with_refused_items',
  'select distinct fid from refused_item where fid = any($1::bigint[])',
);

export const selectFidsWithRefusedItems = async (session: Session, fids: readonly number[]): Promise<Set<number>> =>
  new Set((await session.select(selectFidsWithRefusedItemsSql, [fids])).map(({ fid }) => fid));

const selectRefusedItemCountSql = sql<{ count: number }>(
  'select_refused_item_count',
  'select count(*) as count from refused_item',
);

export const selectRefusedItemCount = async (session: Session): Promise<number> =>
  (await session.select(selectRefusedItemCountSql))[0]?.count ?? 0;

const deleteRefusedItemSql = sql('delete_refused_item', 'delete from refused_item where id = $1');

export const deleteRefusedItem = (session: Session, id: number): Promise<void> =>
  execute(session, deleteRefusedItemSql, [id]);
