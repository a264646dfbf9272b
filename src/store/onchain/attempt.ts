import { execute, type Session, sql } from '../../db/statement.js';

/** A transaction as it was signed once. */
export interface AttemptRow {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  readonly transactionId: string;
  readonly nonce: number;
  /** As it is sent. */
  readonly raw: Uint8Array;
  /** Wei for each unit of gas, in decimal digits; both alike where the chain has no base fee. */
  readonly maxFee: string;
  readonly priorityFee: string;
  readonly createdAt: Date;
}

const insertAttemptsSql = sql(
  'insert_attempts',
  `insert into chain_attempt (hash, transaction_id, nonce, raw, max_fee, priority_fee, created_at)
    select * from unnest($1::bytea[], $2::uuid[], $3::bigint[], $4::bytea[], $5::numeric[], $6::numeric[],
                         $7::timestamptz[])
    on conflict (hash) do update
       set transaction_id = excluded.transaction_id, raw = excluded.raw, created_at = excluded.created_at`,
);

/**
 * Stores attempts before they are broadcast. An attempt may exist for a refused transaction, whose nonce was then
 * assigned to an identical call.
 */
export const insertAttempts = (session: Session, rows: readonly AttemptRow[]): Promise<void> =>
  execute(session, insertAttemptsSql, [
    rows.map((row) => row.hash),
    rows.map((row) => row.transactionId),
    rows.map((row) => row.nonce),
    rows.map((row) => row.raw),
    rows.map((row) => row.maxFee),
    rows.map((row) => row.priorityFee),
    rows.map((row) => row.createdAt),
  ]);

const selectAttemptsSql = sql<AttemptRow>(
  'select_attempts',
  `select hash, transaction_id as "transactionId", nonce, raw, max_fee as "maxFee", priority_fee as "priorityFee",
          created_at as "createdAt"
     from chain_attempt where transaction_id = any($1::uuid[])
    order by transaction_id, created_at, nonce, max_fee`,
);

/** @returns all attempts of these transactions by transaction, each list with the latest last. */
export const selectAttempts = async (
  session: Session,
  transactionIds: readonly string[],
): Promise<Map<string, AttemptRow[]>> => {
  const rows = await session.select(selectAttemptsSql, [transactionIds]);
  const lists = new Map<string, AttemptRow[]>();
  for (const row of rows) {
    const list = lists.get(row.transactionId);
    if (list) list.push(row);
    else lists.set(row.transactionId, [row]);
  }
  return lists;
};
