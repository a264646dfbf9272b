import type { Param, Session } from './database.js';

/** An item that could not be stored, as it came. */
export interface RefusedItemRow {
  readonly kind: 'message' | 'removal' | 'onchain' | 'proof';
  /** Protobuf bytes: `Message` (also of a removal), `OnChainEvent`, `UserNameProof`. */
  readonly body: Uint8Array;
  /** Of a removal alone. */
  readonly removal_reason: 'prune' | 'revoke' | 'replaced' | null;
  readonly fid: number;
  readonly source: string;
  readonly announce: boolean;
  readonly trust_signers: boolean;
  /** What PostgreSQL said; null: the program refused it. */
  readonly sqlstate: string | null;
  readonly failure: string;
}

export interface StoredRefusedItem extends RefusedItemRow {
  readonly id: number;
  readonly attempts: number;
  readonly first_refused_at: Date;
  readonly last_refused_at: Date;
}

const COLUMNS = `id, kind, body, removal_reason, fid, source, announce, trust_signers, sqlstate, failure, attempts,
  first_refused_at, last_refused_at`;

/** Keeps an item; one that is kept already counts one more attempt. Call it where the stream's position is written. */
export const upsertRefusedItem = async (session: Session, row: RefusedItemRow): Promise<void> => {
  const params: Param[] = [
    row.kind,
    row.body,
    row.removal_reason,
    row.fid,
    row.source,
    row.announce,
    row.trust_signers,
    row.sqlstate,
    row.failure,
  ];
  await session.run(
    `insert into refused_item
            (kind, body, digest, removal_reason, fid, source, announce, trust_signers, sqlstate, failure)
     values ($1, $2, sha256($2), $3, $4, $5, $6, $7, $8, $9)
     on conflict (kind, digest) do update
       set removal_reason = excluded.removal_reason, sqlstate = excluded.sqlstate, failure = excluded.failure,
           attempts = refused_item.attempts + 1, last_refused_at = excluded.last_refused_at`,
    params,
  );
};

/** @returns items after an id, in the order in which they were refused first. */
export const selectRefusedItems = (session: Session, afterId: number, limit: number): Promise<StoredRefusedItem[]> =>
  session.select<StoredRefusedItem>(`select ${COLUMNS} from refused_item where id > $1 order by id limit $2`, [
    afterId,
    limit,
  ]);

export const selectRefusedItem = async (session: Session, id: number): Promise<StoredRefusedItem | undefined> =>
  (await session.select<StoredRefusedItem>(`select ${COLUMNS} from refused_item where id = $1`, [id]))[0];

/** @returns those of the fids of which an item is kept that was refused. */
export const selectFidsWithRefusedItems = async (session: Session, fids: readonly number[]): Promise<Set<number>> => {
  const rows = await session.select<{ fid: number }>(
    'select distinct fid from refused_item where fid = any($1::bigint[])',
    [fids],
  );
  return new Set(rows.map(({ fid }) => fid));
};

export const selectRefusedItemCount = async (session: Session): Promise<number> => {
  const [row] = await session.select<{ count: number }>('select count(*) as count from refused_item');
  return row?.count ?? 0;
};

export const deleteRefusedItem = async (session: Session, id: number): Promise<void> => {
  await session.run('delete from refused_item where id = $1', [id]);
};
