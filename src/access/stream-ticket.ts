import { randomBytes } from 'node:crypto';
import type { Session } from '../db/statement.js';
import { AppError } from '../error.js';
import { insertStreamTicket, takeStreamTicket } from '../store/event/stream-ticket.js';
import type { Caller } from './caller.js';
import { hashKey } from './key.js';

const TICKET_BYTES = 32;
const TICKET_MS = 60_000;

/** What opens one stream instead of an API key: browsers cannot send headers with `EventSource`. */
export interface StreamTicket {
  /** It grants what the key grants, so it is never logged; only its hash is stored. */
  readonly ticket: string;
  readonly expiresAt: Date;
}

/** @param now Unix milliseconds */
export const createStreamTicket = async (db: Session, keyId: string, now: number): Promise<StreamTicket> => {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url');
  const expiresAt = new Date(now + TICKET_MS);
  await insertStreamTicket(db, hashKey(ticket), { keyId, expiresAt });
  return { ticket, expiresAt };
};

/**
 * Uses up a ticket.
 * @param authenticate finds the caller of an API key by its hash
 * @param now Unix milliseconds
 * @throws AppError `unauthorized` for a ticket that is unknown, used or older than a minute
 */
export const redeemStreamTicket = async (
  { db, authenticate }: { readonly db: Session; readonly authenticate: (keyHash: Buffer) => Promise<Caller> },
  ticket: string,
  now: number,
): Promise<Caller> => {
  const keyHash = await takeStreamTicket(db, hashKey(ticket), new Date(now));
  if (keyHash !== undefined) return authenticate(keyHash);
  const message = 'This ticket was used or has expired: it opens one stream within 60 seconds. Get a new one.';
  throw new AppError('unauthorized', 'Unauthorized', message, { property: 'ticket' });
};
