import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.js';
import type { Session } from '../db/statement.js';
import { DAY_MS } from '../duration.js';
import { invalidField } from '../error.js';
import { bareHex, fromHex } from '../hex.js';
import {
  type HostNotification,
  insertHostNotifications,
  type OpenTokenRow,
  selectNotifiedUsers,
  selectOpenTokens,
  updateTokensUsed,
} from '../store/miniapp/notification.js';
import { queuePushes } from './push-queue.js';
import { hashToken } from './token.js';

/** Limits of the Mini App specification, "Sending notifications": one per 30 s and 100 per day for each token. */
const PAUSE_MS = 30_000;
const MAX_PER_DAY = 100;

/** The outcome of a notification; every token is in exactly one of the lists. */
export interface NotifyResult {
  readonly successfulTokens: string[];
  /** They will never work again: mini apps forget them. */
  readonly invalidTokens: string[];
  readonly rateLimitedTokens: string[];
  /** They work, but not for this: tokens of another domain, and those whose event is still being delivered. */
  readonly failedTokens: string[];
}

const isLimited = ({ lastAt, dayFrom, dayCount }: OpenTokenRow, now: number): boolean =>
  (lastAt !== null && lastAt.getTime() > now - PAUSE_MS) ||
  (dayFrom !== null && dayFrom.getTime() > now - DAY_MS && dayCount >= MAX_PER_DAY);

/**
 * Stores a notification for the users of a mini app's tokens and queues it for their host apps. A repetition within a
 * day counts as successful but notifies nobody twice. Tokens that are unknown or disabled are reported as invalid.
 * @param now Unix milliseconds
 * @throws AppError `invalid`, property `targetUrl`, if none of the tokens is for its domain, and some are for another one
 */
export const notifyUsers = (
  db: Database,
  notification: HostNotification,
  tokens: readonly string[],
  now: number,
): Promise<NotifyResult> =>
  db.transaction(async (session: Session) => {
    const byHash = new Map(tokens.map((token) => [bareHex(hashToken(token)), token]));
    const hashes = [...byHash.keys()].map(fromHex);
    const open = await selectOpenTokens(session, hashes);
    const live = open.filter(({ domain, liveAt }) => domain === notification.domain && liveAt !== null);
    if (open.length > 0 && !open.some(({ domain }) => domain === notification.domain)) {
      throw invalidField('targetUrl', 'targetUrl must be on the domain of the mini app that the tokens were given to.');
    }
    const dayFrom = new Date(now - DAY_MS);
    const notified = await selectNotifiedUsers(session, live, notification, dayFrom);
    const fresh = live.filter(({ appId, fid }) => !notified.has(`${appId} ${fid}`));
    const limited = new Set(fresh.filter((row) => isLimited(row, now)));
    const sent = fresh.filter((row) => !limited.has(row));
    if (sent.length > 0) {
      const users = sent.map(({ appId, fid }) => ({ appId, fid, id: randomUUID() }));
      await insertHostNotifications(session, users, notification, new Date(now));
      await queuePushes(session, users, notification, new Date(now));
      await updateTokensUsed(
        session,
        sent.map(({ hash }) => hash),
        { now: new Date(now), dayFrom },
      );
    }
    const tokenOf = ({ hash }: OpenTokenRow): string => byHash.get(bareHex(hash)) as string;
    const known = new Set(open.map(tokenOf));
    return {
      successfulTokens: live.filter((row) => !limited.has(row)).map(tokenOf),
      invalidTokens: [...byHash.values()].filter((token) => !known.has(token)),
      rateLimitedTokens: [...limited].map(tokenOf),
      failedTokens: open.filter((row) => !live.includes(row)).map(tokenOf),
    };
  });
