import type { Database } from '../../db/database.js';
import { execute, type Session, sql, statement } from '../../db/statement.js';
import type { Written } from '../table.js';
import type { Tables } from '../tables.js';

/** How long a list is kept; prices move. */
export const BALANCE_LIST_MS = 60_000;

/** An ordered list of balances, as its first page saw it: the items as they are sent, and who did not respond. */
export type BalanceListRow = Written<Pick<Tables['balance_list'], 'items' | 'partial'>>;

const byId = statement<BalanceListRow>(
  'balance_list_by_id',
  'select items, partial from balance_list where id = $1::uuid and created_at > $2',
);

/** @returns the list, undefined without one that was made after a time. */
export const selectBalanceList = async (db: Database, id: string, since: Date): Promise<BalanceListRow | undefined> =>
  (await db.read(byId, [id, since]))[0];

const insertBalanceListSql = sql(
  'insert_balance_list',
  'insert into balance_list (id, items, partial, created_at) values ($1::uuid, $2, $3, $4)',
);

/** @param id a new UUID */
export const insertBalanceList = async (
  session: Session,
  id: string,
  { items, partial }: BalanceListRow,
  now: Date,
): Promise<void> => execute(session, insertBalanceListSql, [id, items, partial, now]);

const deleteOldBalanceListsSql = sql('delete_old_balance_lists', 'delete from balance_list where created_at < $1');

/** Deletes lists that were made before a time. */
export const deleteOldBalanceLists = (session: Session, before: Date): Promise<void> =>
  execute(session, deleteOldBalanceListsSql, [before]);
