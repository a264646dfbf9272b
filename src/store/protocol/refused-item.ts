import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, type Written } from '../table.js';
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
const COLUMNS = columnList(['id', ...ITEM, 'attempts', 'first_refused_at', 'last_refused_at']);

type Kinds = {
  readonly kind: 'message' | 'removal' | 'onchain' | 'proof';
  /** Null unless `kind` is `removal`. */
  readonly removalReason: 'prune' | 'revoke' | 'replaced' | null;
};

/** An item that could not be stored, as it was received. A `sqlstate` of null: this program rejected it. */
export type RefusedItemRow = Kinds & Camel<Written<Pick<Tables['refused_item'], (typeof ITEM)[number]>>>;

export type StoredRefusedItem = Kinds & Camel<Written<Omit<Tables['refused_item'], 'digest'>>>;

/** Stores an item, or counts another attempt; call it in the transaction that stores the stream's position. */
export const upsertRefusedItem = writeQuery(
  'upsert_refused_item',
  `insert into refused_item (${ITEM.join(', ')}, digest) values (:kind, :body, :removalReason?, :fid, :source, :announce, :trustSigners?, :sqlstate?, :failure, sha256(:body))
    on conflict (kind, digest) do update
      set removal_reason = excluded.removal_reason, sqlstate = excluded.sqlstate, failure = excluded.failure,
          attempts = refused_item.attempts + 1, last_refused_at = excluded.last_refused_at`,
).done(({ removalReason, trustSigners, ...row }: RefusedItemRow) => ({
  ...row,
  removalReason,
  trustSigners,
}));

/** @returns items after an id, in the order in which they were first rejected */
export const selectRefusedItems = selectQuery(
  'select_refused_items',
  `select ${COLUMNS} from refused_item where id > :afterId order by id limit :limit`,
).rows((afterId: number, limit: number) => ({ afterId, limit }));

export const selectRefusedItem = selectQuery(
  'select_refused_item',
  `select ${COLUMNS} from refused_item where id = :id`,
).first((id: number) => ({ id }));

export const selectFidsWithRefusedItems = selectQuery(
  'select_fids_with_refused_items',
  'select distinct fid from refused_item where fid = any(:fids::bigint[])',
).columnSet('fid', (fids: readonly number[]) => ({ fids }));

export const selectRefusedItemCount = selectQuery(
  'select_refused_item_count',
  'select count(*) as "count!" from refused_item',
).valueOr('count', 0);

export const deleteRefusedItem = writeQuery('delete_refused_item', 'delete from refused_item where id = :id').done(
  (id: number) => ({ id }),
);
