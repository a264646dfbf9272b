import type { Session } from '../../db/statement.js';
import { insertRows, selectQuery } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** The recipient and quantity of a mint. */
export type MintRow = Camel<Written<Tables['mint']>>;

export const insertMints = insertRows('insert_mints', 'mint', {
  transaction_id: 'uuid',
  contract: 'bytea',
  recipient: 'bytea',
  fid: 'bigint',
  quantity: 'bigint',
}).done((mints: readonly MintRow[]) => [mints]);

const mintsOf = selectQuery(
  'select_mints',
  `select transaction_id as "transactionId", contract, recipient, fid, quantity
    from mint where transaction_id = any(:transactionIds::uuid[])`,
).rows();

/** @returns the mints of these transactions, by their ids. */
export const selectMints = async (
  session: Session,
  transactionIds: readonly string[],
): Promise<Map<string, Camel<Tables['mint']>>> =>
  new Map((await mintsOf(session, { transactionIds })).map((row) => [row.transactionId, row]));
