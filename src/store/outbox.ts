import type { Session } from '../db/statement.js';
import { writeQuery } from './query-function.js';

/**
 * Tables of calls that are repeated until they succeed, or expire. All have the columns `id`, `state` (`pending` and
 * `dead` among others), `attempts`, `next_at`, `expires_at` and `ended_at`.
 */
type Outbox = RepeatedOutbox | 'webhook_delivery';

/** Those whose statements this file makes. */
type RepeatedOutbox = 'host_delivery' | 'host_push';

/** Leases due calls, at most `limit`, until a time: if this process dies, others take them then. */
export interface Lease {
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
}

/** @returns a table expression `picked (id)`: due calls of the owner `:owner` at `:now`, at most `:limit`, locked */
export const pickDue = (table: Outbox, owner: string): string =>
  `picked as materialized (
      select id from ${table} where ${owner} = :owner and state = 'pending' and next_at <= :now
       order by next_at limit :limit for update skip locked)`;

export interface FailedAttempt {
  readonly failure: string;
  readonly nextAt: Date;
  readonly now: Date;
  /** As it was leased: what was made due again during its attempt stays due. */
  readonly leasedUntil: Date;
}

/** @returns a function that stores a failed attempt: the call is repeated at `nextAt`, or given up */
export const failedUpdate = (table: RepeatedOutbox) =>
  writeQuery(
    `update_${table}_failed`,
    `update ${table}
      set attempts = attempts + 1, failure = :failure, next_at = :nextAt,
          state = case when :nextAt > expires_at then 'dead' else 'pending' end,
          ended_at = case when :nextAt > expires_at then :now::timestamptz end
    where id = :id and state = 'pending' and next_at = :leasedUntil`,
  ).done((id: string, { failure, nextAt, now, leasedUntil }: FailedAttempt) => ({
    id,
    failure,
    nextAt,
    now,
    leasedUntil,
  }));

/**
 * @param condition for the rows `d`, in addition
 * @returns a function that makes one call that waits or was given up due at once, or without `id` all that were given up.
 *   They do not expire before `expiresAt`. It returns how many they are
 */
export const dueUpdate = (table: RepeatedOutbox, condition = 'true') => {
  const query = <How extends 'retry_dead' | 'retry_one'>(how: How, which: string) =>
    writeQuery(
      `${table}_${how}`,
      `update ${table} d set state = 'pending', next_at = :now, expires_at = greatest(expires_at, :expiresAt), ended_at = null
      where ${which} and ${condition} returning id`,
    );
  const dead = query('retry_dead', "state = 'dead'").count();
  const one = query('retry_one', "state <> 'delivered' and id = :id").count();
  return (
    session: Session,
    id: string | undefined,
    { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
  ): Promise<number> => (id === undefined ? dead(session, { now, expiresAt }) : one(session, { now, expiresAt, id }));
};
