import { writeQuery } from '../query-function.js';

/** @param hash SHA-256 of the ticket, 32 bytes */
export const insertStreamTicket = writeQuery(
  'insert_stream_ticket',
  'insert into stream_ticket (hash, api_key_id, expires_at) values (:hash, :keyId, :expiresAt)',
).done((hash: Uint8Array, { keyId, expiresAt }: { readonly keyId: string; readonly expiresAt: Date }) => ({
  hash,
  keyId,
  expiresAt,
}));

/** Takes a ticket out, so that nobody else can. @returns hash of its API key; undefined if it is used or has expired */
export const takeStreamTicket = writeQuery(
  'take_stream_ticket',
  `delete from stream_ticket t using api_key k
    where t.hash = :hash and t.expires_at > :now and k.id = t.api_key_id
    returning k.hash as "keyHash"`,
).value('keyHash', (hash: Uint8Array, now: Date) => ({ hash, now }));

export const deleteExpiredStreamTickets = writeQuery(
  'delete_expired_stream_tickets',
  'delete from stream_ticket where expires_at <= :now',
).done((now: Date) => ({ now }));
