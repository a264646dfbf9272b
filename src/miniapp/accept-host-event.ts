import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.js';
import type { Session } from '../db/statement.js';
import { RETRY_WINDOW_MS } from '../delivery/retry-delay.js';
import { invalidField } from '../error.js';
import {
  insertHostDelivery,
  lockHostUser,
  selectHostDeliveryByDigest,
  selectLastPending,
  updateHostDeliveriesDue,
} from '../store/miniapp/delivery.js';
import { claimHostToken, closeHostTokens, type HostPair } from '../store/miniapp/token.js';
import { disablesNotifications } from './event.js';
import type { SignedHostEvent } from './host-event.js';
import { hashToken } from './token.js';

/**
 * The outcome of accepting an event. `first`: the caller delivers it now; otherwise earlier events are delivered first.
 */
export interface AcceptedEvent {
  readonly id: string;
  readonly isFirst: boolean;
}

interface Acceptance {
  readonly appId: string;
  /** As `readDomain` returns it. */
  readonly domain: string;
  /** The URL of the tokens in each of its forms; an event with a token contains one of them. */
  readonly notifyUrls: readonly string[];
  readonly signed: SignedHostEvent;
  readonly now: Date;
  /** Time until which only the caller may deliver the event. */
  readonly until: Date;
}

const refuse = (message: string) => invalidField('signed_message', `signed_message ${message}`);

const claimToken = async (session: Session, pair: HostPair, acceptance: Acceptance): Promise<Buffer | null> => {
  const { signed, notifyUrls, now } = acceptance;
  const details = signed.event.notificationDetails;
  if (!details) return null;
  const hash = hashToken(details.token);
  if (!notifyUrls.includes(details.url) || !(await claimHostToken(session, pair, hash, now))) {
    throw refuse('carries a token that was not made for this user and domain, was used, or lapsed: get a new one.');
  }
  return hash;
};

/**
 * Equal bytes without a token may be separate events: when a user turns notifications off, on and off again, the first
 * and the last may be equal. So they are the same event only as long as no other event followed; with a token they
 * always are.
 * @returns the delivery with the same signed bytes; undefined for a new event
 * @throws AppError 'invalid' if they were accepted before, here or for another domain or app
 */
const joinSame = async (session: Session, pair: HostPair, { signed, now }: Acceptance): Promise<string | undefined> => {
  const same = await selectHostDeliveryByDigest(session, pair.fid, signed.digest);
  if (!same) return undefined;
  if (same.domain !== pair.domain || same.appId !== pair.appId) {
    throw refuse(
      'was accepted for another domain or app already: sign an event of its own for each, with a nonce in it.',
    );
  }
  if (!same.isLatest && same.tokenHash === null) return undefined;
  if (same.state === 'delivered') throw refuse('was accepted and delivered already.');
  if (same.state === 'dead') {
    if (!same.isLatest) throw refuse('was given up, and later events took its place: get a new one.');
    await updateHostDeliveriesDue(session, same.id, { now, expiresAt: new Date(now.getTime() + RETRY_WINDOW_MS) });
  }
  return same.id;
};

/**
 * Writes an event into the outbox before its first delivery. An event that disables notifications takes effect here at
 * once, no matter when it is delivered.
 * @throws AppError 'invalid' with property `signed_message` for a replayed signature and for an unknown token
 */
export const acceptHostEvent = (db: Database, acceptance: Acceptance): Promise<AcceptedEvent> =>
  db.transaction(async (session) => {
    const { appId, domain, signed, now, until } = acceptance;
    const { event, encoded, digest } = signed;
    const pair = { appId, domain, fid: signed.fid };
    await lockHostUser(session, signed.fid);
    const joined = await joinSame(session, pair, acceptance);
    if (joined !== undefined) return { id: joined, isFirst: false };
    const last = await selectLastPending(session, pair);
    if (last && signed.isBuiltHere && last.event === event.event) return { id: last.id, isFirst: false };
    const tokenHash = await claimToken(session, pair, acceptance);
    if (disablesNotifications(event.event)) await closeHostTokens(session, pair, now);
    const id = randomUUID();
    await insertHostDelivery(session, {
      ...pair,
      id,
      event: event.event,
      message: JSON.stringify(encoded),
      digest,
      tokenHash,
      nextAt: last ? now : until,
      expiresAt: new Date(now.getTime() + RETRY_WINDOW_MS),
      createdAt: now,
    });
    return { id, isFirst: last === undefined };
  });
