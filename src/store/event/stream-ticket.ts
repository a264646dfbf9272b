import { writeQuery } from '../query-function.js';

/** @param hash SHA-256 of the ticket, 32 bytes */
export const insertStreamTicket = writeQuery(
  'insert_stream_ticket',
  'insert into stream_ticket (hash, api_key_id, expires_at) values ($1, $2, $3)',
).done((hash: Uint8Array, { keyId, expiresAt }: { readonly keyId: string; readonly expiresAt: Date }) => [
  hash,
  keyId,
  expiresAt,
]);

/** Takes a ticket out, so that nobody else can. @returns hash of its API key; undefined if it is used or has expired */
export const takeStreamTicket = writeQuery<{ keyHash: Buffer }>(
  'take_stream_ticket',
  `delete from stream_ticket t using api_key k
    where t.hash = $1 and t.expires_at > $2 and k.id = t.api_key_id
    returning k.hash as "keyHash"`,
).value('keyHash', (hash: Uint8Array, now: Date) => [hash, now]);

export const deleteExpiredStreamTickets = writeQuery(
  'delete_expired_stream_tickets',
  'delete from stream_ticket where expires_at <= $1',
).done((now: Date) => [now]);
