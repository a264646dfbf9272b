import type { Session } from '../../db/statement.js';
import { readQuery, writeQuery } from '../query-function.js';
import { type Camel, insertText, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const NEW = ['hash', 'app_id', 'fid', 'domain', 'minted_at', 'lapses_at'] as const;
type NewToken = Camel<Written<Pick<Tables['host_token'], (typeof NEW)[number]>>>;

/** A user of a host app, and a mini app's domain. */
export type HostPair = Pick<NewToken, 'appId' | 'fid' | 'domain'>;

/** Stores the hash of a token. It works once an event that carries it was delivered, and ends at `lapsesAt` if none is. */
export const insertHostToken = writeQuery('insert_host_token', insertText('host_token', NEW)).done();

/** Reserves a token for an event. @returns whether it is of this user and domain, not expired and not in use. */
export const claimHostToken = writeQuery(
  'claim_host_token',
  `update host_token set lapses_at = null
    where hash = :hash and app_id = :appId and fid = :fid and domain = :domain and live_at is null and lapses_at > :now
    returning fid`,
).hasRows(({ appId, fid, domain }: HostPair, hash: Uint8Array, now: Date) => ({ hash, appId, fid, domain, now }));

/**
 * Disables the tokens that may notify this user for a domain, or would once the event that carries them is delivered;
 * one that no event carries yet is for the next time that the user turns notifications on. The rows stay until the mini
 * app is informed.
 */
export const closeHostTokens = writeQuery(
  'close_host_tokens',
  `update host_token set closed_at = :now
    where app_id = :appId and fid = :fid and domain = :domain and closed_at is null
      and (live_at is not null or lapses_at is null)`,
).done(({ appId, fid, domain }: HostPair, now: Date) => ({ appId, fid, domain, now }));

const deletePreviousToken = writeQuery(
  'delete_previous_host_token',
  'delete from host_token where app_id = :appId and fid = :fid and domain = :domain and live_at is not null and hash <> :hash',
).done();
const activateToken = writeQuery(
  'activate_host_token',
  'update host_token set live_at = :now where hash = :hash',
).done();

/**
 * Activates a token and deletes the earlier ones, since a mini app has one for each user. One that was disabled
 * meanwhile stays disabled.
 */
export const activateHostToken = async (
  session: Session,
  { appId, fid, domain }: HostPair,
  hash: Uint8Array,
  now: Date,
): Promise<void> => {
  await deletePreviousToken(session, { appId, fid, domain, hash });
  await activateToken(session, { hash, now });
};

/** Deletes all tokens that are, or were, active for this user and domain. */
export const deleteActiveHostTokens = writeQuery(
  'delete_active_host_tokens',
  'delete from host_token where app_id = :appId and fid = :fid and domain = :domain and live_at is not null',
).done(({ appId, fid, domain }: HostPair) => ({ appId, fid, domain }));

export const deleteHostToken = writeQuery('delete_host_token', 'delete from host_token where hash = :hash').done(
  (hash: Uint8Array) => ({ hash }),
);

/** Deletes tokens that no event carried in time. */
export const deleteExpiredHostTokens = writeQuery(
  'delete_expired_host_tokens',
  'delete from host_token where lapses_at <= :now',
).done((now: Date) => ({ now }));

/** @returns the domains that may notify a user of a host app, as of the last events delivered, newest first. */
export const selectEnabledDomains = readQuery(
  'host_token_enabled',
  `select domain, max(live_at) as "since!" from host_token
    where app_id = :appId and fid = :fid and live_at is not null
    group by domain order by max(live_at) desc, domain`,
).rows((appId: string, fid: number) => ({ appId, fid }));
