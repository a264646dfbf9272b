import { writeQuery } from '../query-function.js';

/**
 * Adds an amount to what an app or wallet spent on the day of `now` (UTC), unless the sum would exceed the limit.
 * @param amount `wei` and `limit` in wei
 * @returns whether it was added
 */
export const addDailySpend = writeQuery(
  'add_daily_spend',
  `insert into daily_spend as s (spender_id, day, wei) select :spenderId::uuid, (:now::timestamptz at time zone 'UTC')::date, :wei
    where :wei::numeric <= :limit::numeric
   on conflict (spender_id, day) do update set wei = s.wei + excluded.wei where s.wei + excluded.wei <= :limit::numeric
   returning day`,
).hasRows((spenderId: string, amount: { readonly wei: bigint; readonly limit: bigint }, now: Date) => ({
  spenderId,
  now,
  wei: String(amount.wei),
  limit: String(amount.limit),
}));
