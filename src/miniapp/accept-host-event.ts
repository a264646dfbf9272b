import { randomUUID } from 'node:crypto';
import { invalidField } from '../error.js';
import type { Database, Session } from '../store/database.js';
import {
  insertHostDelivery,
  lockHostUser,
  selectHostDeliveryByDigest,
  selectLastPending,
  updateHostDeliveriesDue,
} from '../store/host-delivery.js';
import { closeHostTokens, type HostPair, takeHostToken } from '../store/host-token.js';
import { endsNotifications } from './event.js';
import type { SignedHostEvent } from './host-event.js';
import { RETRY_WINDOW_MS } from './retry-delay.js';
import { hashToken } from './token.js';

/** What became of an event that was handed in. `first`: it is the caller's to deliver now; else it waits its turn. */
export interface Accepted {
  readonly id: string;
  readonly isFirst: boolean;
}

interface Acceptance {
  readonly appId: string;
  /** As `readDomain` writes it. */
  readonly domain: string;
  /** The address that tokens are for, in each of its forms; one of them stands in the event beside the token. */
  readonly notifyUrls: readonly string[];
  readonly signed: SignedHostEvent;
  readonly now: Date;
  /** Until when the caller may try to deliver what it got. */
  readonly until: Date;
}

const refuse = (message: string) => invalidField('signed_message', `signed_message ${message}`);

const takeToken = async (session: Session, pair: HostPair, acceptance: Acceptance): Promise<Buffer | null> => {
  const { signed, notifyUrls, now } = acceptance;
  const details = signed.event.notificationDetails;
  if (!details) return null;
  const hash = hashToken(details.token);
  if (!notifyUrls.includes(details.url) || !(await takeHostToken(session, pair, hash, now))) {
    throw refuse('carries a token that was not made for this user and domain, was used, or lapsed: get a new one.');
  }
  return hash;
};

/**
 * Bytes without a token may be signed again and mean it: off, on and off again are three events, the first and the last
 * of which may be the same bytes. So the same bytes are the same event only while nothing came after it; those with a
 * token always are.
 *
 * @returns the delivery that the same signed bytes are already part of; undefined for a new event
 * @throws AppError 'invalid' when they were accepted before, here or for another domain or app
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
 * Writes an event into the outbox, before anybody tries to deliver it. An event that ends notifications ends them here
 * at once, whenever the mini app hears of it.
 *
 * @throws AppError 'invalid' with property `signed_message` for a signature that was accepted before and for a token
 *   that is not one of ours
 */
export const acceptHostEvent = (db: Database, acceptance: Acceptance): Promise<Accepted> =>
  db.transaction(async (session) => {
    const { appId, domain, signed, now, until } = acceptance;
    const { event, encoded, digest } = signed;
    const pair = { appId, domain, fid: signed.fid };
    await lockHostUser(session, signed.fid);
    const joined = await joinSame(session, pair, acceptance);
    if (joined !== undefined) return { id: joined, isFirst: false };
    const last = await selectLastPending(session, pair);
    if (last && signed.isBuiltHere && last.event === event.event) return { id: last.id, isFirst: false };
    const tokenHash = await takeToken(session, pair, acceptance);
    if (endsNotifications(event.event)) await closeHostTokens(session, pair, now);
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
