import { selectQuery, writeQuery } from '../query-function.js';

interface Row {
  /** SHA-256 of the cookie, 32 bytes. */
  readonly hash: Uint8Array;
  readonly keyId: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export const insertConsoleSession = writeQuery(
  'insert_console_session',
  'insert into console_session (hash, api_key_id, created_at, expires_at) values (:hash, :keyId, :now, :expiresAt)',
).done((row: Row) => ({ ...row }));

/** @param hash SHA-256 of the cookie. @returns the hash of its API key, and its end; undefined if there is none now */
export const selectConsoleSession = selectQuery(
  'console_session_by_hash',
  `select k.hash as "keyHash", s.expires_at as "expiresAt"
     from console_session s join api_key k on k.id = s.api_key_id
    where s.hash = :hash and s.expires_at > :now`,
).first((hash: Uint8Array, now: Date) => ({ hash, now }));

export const deleteConsoleSession = writeQuery(
  'delete_console_session',
  'delete from console_session where hash = :hash',
).done((hash: Uint8Array) => ({ hash }));

export const deleteExpiredConsoleSessions = writeQuery(
  'delete_expired_console_sessions',
  `with links as (delete from console_link where expires_at <= :now)
   delete from console_session where expires_at <= :now`,
).done((now: Date) => ({ now }));

/** @param hash SHA-256 of the token, 32 bytes */
export const insertConsoleLink = writeQuery(
  'insert_console_link',
  'insert into console_link (hash, api_key_id, expires_at) values (:hash, :keyId, :expiresAt)',
).done((hash: Uint8Array, { keyId, expiresAt }: Pick<Row, 'keyId' | 'expiresAt'>) => ({ hash, keyId, expiresAt }));

/** Takes a link out, so that it begins one session. @returns hash of its API key; undefined if it is used or has ended */
export const takeConsoleLink = writeQuery(
  'take_console_link',
  `delete from console_link l using api_key k
    where l.hash = :hash and l.expires_at > :now and k.id = l.api_key_id
    returning k.hash as "keyHash"`,
).value('keyHash', (hash: Uint8Array, now: Date) => ({ hash, now }));

/** @returns the names of a key, its app and its organization; undefined if there is no such key */
export const selectConsoleHolder = selectQuery(
  'console_holder',
  `select k.name as "keyName", a.name as "appName", o.name as "organizationName"
     from api_key k join app a on a.id = k.app_id join organization o on o.id = a.organization_id
    where k.id = :keyId`,
).first((keyId: string) => ({ keyId }));
