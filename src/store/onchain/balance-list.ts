import { readQuery, writeQuery } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** How long a list is kept; prices move. */
export const BALANCE_LIST_MS = 60_000;

/** An ordered list of balances, as its first page saw it: the items as they are sent, and who did not respond. */
export type BalanceListRow = Camel<Written<Pick<Tables['balance_list'], 'items' | 'partial'>>>;

/** @returns the list, undefined without one that was made after a time. */
export const selectBalanceList = readQuery(
  'balance_list_by_id',
  'select items, partial from balance_list where id = :id::uuid and created_at > :since',
).first((id: string, since: Date) => ({ id, since }));

/** @param id a new UUID */
export const insertBalanceList = writeQuery(
  'insert_balance_list',
  'insert into balance_list (id, items, partial, created_at) values (:id::uuid, :items, :partial, :now)',
).done((id: string, { items, partial }: BalanceListRow, now: Date) => ({ id, items, partial, now }));

/** Deletes lists that were made before a time. */
export const deleteOldBalanceLists = writeQuery(
  'delete_old_balance_lists',
  'delete from balance_list where created_at < :before',
).done((before: Date) => ({ before }));
