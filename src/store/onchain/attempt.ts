import type { Session } from '../../db/statement.js';
import { insertRows, selectQuery } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** A transaction as it was signed once; both fees are alike where the chain has no base fee. */
export type AttemptRow = Camel<Written<Tables['chain_attempt']>>;

/**
 * Stores attempts before they are broadcast. An attempt may exist for a refused transaction, whose nonce was then
 * assigned to an identical call.
 */
export const insertAttempts = insertRows(
  'insert_attempts',
  'chain_attempt',
  {
    hash: 'bytea',
    transaction_id: 'uuid',
    nonce: 'bigint',
    raw: 'bytea',
    max_fee: 'numeric',
    priority_fee: 'numeric',
    created_at: 'timestamptz',
  },
  `on conflict (hash) do update
       set transaction_id = excluded.transaction_id, raw = excluded.raw, created_at = excluded.created_at`,
).done((rows: readonly AttemptRow[]) => [rows]);

const attemptsOf = selectQuery(
  'select_attempts',
  `select hash, transaction_id as "transactionId", nonce, raw, max_fee as "maxFee", priority_fee as "priorityFee",
          created_at as "createdAt"
     from chain_attempt where transaction_id = any(:transactionIds::uuid[])
    order by transaction_id, created_at, nonce, max_fee`,
).rows();

/** @returns all attempts of these transactions by transaction, each list with the latest last. */
export const selectAttempts = async (
  session: Session,
  transactionIds: readonly string[],
): Promise<Map<string, AttemptRow[]>> => {
  const rows = await attemptsOf(session, { transactionIds });
  const lists = new Map<string, AttemptRow[]>();
  for (const row of rows) {
    const list = lists.get(row.transactionId);
    if (list) list.push(row);
    else lists.set(row.transactionId, [row]);
  }
  return lists;
};
