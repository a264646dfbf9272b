import { dueUpdate, failedUpdate, type Lease } from '../outbox.js';
import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, insertText, type Written } from '../table.js';
import type { Tables } from '../tables.js';
import type { HostPair } from './token.js';

type Columns = Camel<Written<Tables['host_delivery']>>;

export type HostDeliveryState = Columns['state'];

/** An event on its way to a mini app. All of its `attempts` so far have failed. */
export type HostDelivery = Omit<Columns, 'position' | 'digest'>;

const COLUMNS = `id, app_id as "appId", fid, domain, event, message, token_hash as "tokenHash", state, attempts,
  next_at as "nextAt", expires_at as "expiresAt", failure, created_at as "createdAt", ended_at as "endedAt"`;

/** Locks the events of one account until the transaction ends, so that apps submit them one at a time. */
export const lockHostUser = writeQuery(
  'lock_host_user',
  `select pg_advisory_xact_lock(hashtextextended('host ' || :fid, 0)) as locked`,
).done((fid: number) => ({ fid: String(fid) }));

/** @returns the latest event of this account that was signed with these bytes, for any app and domain. */
export const selectHostDeliveryByDigest = selectQuery(
  'select_host_delivery_by_digest',
  `select ${COLUMNS},
          not exists (select from host_delivery l where l.app_id = d.app_id and l.fid = d.fid
                         and l.domain = d.domain and l.position > d.position) as "isLatest"
     from host_delivery d where fid = :fid and digest = :digest
    order by position desc limit 1`,
).first((fid: number, digest: Uint8Array) => ({ fid, digest }));

/** @returns the last pending event of this user and domain. */
export const selectLastPending = selectQuery(
  'select_last_pending',
  `select ${COLUMNS} from host_delivery
    where app_id = :appId and fid = :fid and domain = :domain and state = 'pending' order by position desc limit 1`,
).first(({ appId, fid, domain }: HostPair) => ({ appId, fid, domain }));

const NEW = [
  'id',
  'app_id',
  'fid',
  'domain',
  'event',
  'message',
  'digest',
  'token_hash',
  'state',
  'next_at',
  'expires_at',
  'created_at',
] as const;

/** Stores an event that is pending. */
export const insertHostDelivery = writeQuery('insert_host_delivery', insertText('host_delivery', NEW)).done(
  (row: Omit<Columns, 'position' | 'state' | 'attempts' | 'failure' | 'endedAt'>) => ({ ...row, state: 'pending' }),
);

/**
 * Leases events that are due and first of their user and domain, until `until`: if this process dies, others take them
 * then. Domains take turns, so that one that never responds does not hold up the others; they are
 * looked up one after the other in an index, since a domain that is down may have any number of events. The choice is
 * materialized: PostgreSQL may run a subquery again for each row, and `limit` would not hold.
 */
export const claimDueHostDeliveries = writeQuery(
  'claim_due_host_deliveries',
  `with recursive waiting as (
      select min(domain) as domain from host_delivery where state = 'pending'
      union all
      select (select min(d.domain) from host_delivery d where d.state = 'pending' and d.domain > waiting.domain)
        from waiting where waiting.domain is not null),
    first as (
      select f.id, f.next_at, f.turn from waiting, lateral (
        select d.id, d.next_at, row_number() over (order by d.next_at, d.position) as turn
          from host_delivery d
         where d.state = 'pending' and d.domain = waiting.domain and d.next_at <= :now
           and not exists (select from host_delivery e where e.state = 'pending' and e.app_id = d.app_id
                              and e.fid = d.fid and e.domain = d.domain and e.position < d.position)
         order by d.next_at, d.position limit :limit) f),
    chosen as materialized (select id from first order by turn, next_at, id limit :limit),
    held as materialized (
      select id from host_delivery
       where id in (select id from chosen) and state = 'pending' and next_at <= :now
         for update skip locked)
    update host_delivery set next_at = :until where id in (select id from held)
    returning ${COLUMNS}`,
).rows(({ now, until, limit }: Lease) => ({ now, until, limit }));

/** Marks an event as delivered. @returns whether it was pending. */
export const updateHostDeliveryDelivered = writeQuery(
  'update_host_delivery_delivered',
  `update host_delivery set state = 'delivered', message = '', failure = null, attempts = attempts + 1, ended_at = :now
    where id = :id and state = 'pending' returning id`,
).hasRows((id: string, now: Date) => ({ id, now }));

/** Stores a failed attempt: the event is retried at `nextAt`, or given up. */
export const updateHostDeliveryFailed = failedUpdate('host_delivery');

export const deleteHostDelivery = writeQuery('delete_host_delivery', 'delete from host_delivery where id = :id').done(
  (id: string) => ({ id }),
);

/**
 * Deletes events that were delivered before one time or given up before another, with the tokens that only the latter
 * carried. An event that was delivered after one that was given up stays as long as that one, and shows that it was
 * superseded.
 */
export const deleteEndedHostDeliveries = writeQuery(
  'delete_ended_host_deliveries',
  `with gone as (
      delete from host_delivery d
       where (state = 'dead' and ended_at < :dead)
          or (state = 'delivered' and ended_at < :delivered
              and not exists (select from host_delivery e where e.state = 'dead' and e.app_id = d.app_id
                                 and e.fid = d.fid and e.domain = d.domain and e.position < d.position))
      returning token_hash, state)
    delete from host_token t using gone g
     where g.state = 'dead' and t.hash = g.token_hash and t.live_at is null`,
).done((before: { readonly delivered: Date; readonly dead: Date }) => ({
  delivered: before.delivered,
  dead: before.dead,
}));

/** @returns events in one state, oldest first. */
export const selectHostDeliveries = selectQuery(
  'select_host_deliveries',
  `select ${COLUMNS} from host_delivery where state = :state order by position limit :limit`,
).rows((state: HostDeliveryState, limit: number) => ({ state, limit }));

/**
 * Makes one event, or all that were given up, due at once; not those after which a later one of their user and domain was
 * delivered, and none that was given up while a later one is pending, which may be on its way: "on" must not arrive after
 * "off".
 */
export const updateHostDeliveriesDue = dueUpdate(
  'host_delivery',
  `not exists (select from host_delivery l
                where (l.state = 'delivered' or (l.state = 'pending' and d.state = 'dead'))
                  and l.app_id = d.app_id and l.fid = d.fid and l.domain = d.domain and l.position > d.position)`,
);
