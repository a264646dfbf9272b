import { type Session, sql } from '../../db/statement.js';
import { first } from '../table.js';

const insertStreamTicketSql = sql(
  'insert_stream_ticket',
  'insert into stream_ticket (hash, api_key_id, expires_at) values ($1, $2, $3)',
);

/** @param hash SHA-256 of the ticket, 32 bytes */
export const insertStreamTicket = async (
  session: Session,
  hash: Uint8Array,
  { keyId, expiresAt }: { readonly keyId: string; readonly expiresAt: Date },
): Promise<void> => {
  await session.run(insertStreamTicketSql, [hash, keyId, expiresAt]);
};

const takeStreamTicketSql = sql<{ keyHash: Buffer }>(
  'take_stream_ticket',
  `delete from stream_ticket t using api_key k
    where t.hash = $1 and t.expires_at > $2 and k.id = t.api_key_id
    returning k.hash as "keyHash"`,
);

/** Takes a ticket out, so that nobody else can. @returns hash of its API key; undefined if it is used or has expired */
export const takeStreamTicket = async (session: Session, hash: Uint8Array, now: Date): Promise<Buffer | undefined> =>
  (await first(session.run(takeStreamTicketSql, [hash, now])))?.keyHash;

const deleteExpiredStreamTicketsSql = sql(
  'delete_expired_stream_tickets',
  'delete from stream_ticket where expires_at <= $1',
);

export const deleteExpiredStreamTickets = async (session: Session, now: Date): Promise<void> => {
  await session.run(deleteExpiredStreamTicketsSql, [now]);
};
