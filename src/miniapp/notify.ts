import { randomUUID } from 'node:crypto';
import type { Database, Session } from '../store/database.js';
import {
  type HostNotification,
  insertHostNotifications,
  type LiveTokenRow,
  selectLiveTokens,
  selectNotifiedUsers,
  updateTokensUsed,
} from '../store/host-notification.js';
import { queuePushes } from './push-queue.js';
import { hashToken } from './token.js';

/** Limits of the Mini App specification, "Sending notifications": one in 30 s and 100 a day for each token. */
const PAUSE_MS = 30_000;
const DAY_MS = 86_400_000;
const MOST_A_DAY = 100;

/** What became of a notification, token by token; every token that was sent stands in one of the lists. */
export interface NotifyResult {
  readonly successfulTokens: string[];
  readonly invalidTokens: string[];
  readonly rateLimitedTokens: string[];
}

const isLimited = ({ lastAt, dayFrom, dayCount }: LiveTokenRow, now: number): boolean =>
  (lastAt !== null && lastAt.getTime() > now - PAUSE_MS) ||
  (dayFrom !== null && dayFrom.getTime() > now - DAY_MS && dayCount >= MOST_A_DAY);

/**
 * Hands a notification to the users whose tokens a mini app's server shows, and queues it for their host apps. The same
 * notification again within a day counts as successful and reaches nobody twice; tokens that are unknown, ended or
 * another domain's are alike invalid.
 *
 * @param now Unix milliseconds
 */
export const notifyUsers = (
  db: Database,
  notification: HostNotification,
  tokens: readonly string[],
  now: number,
): Promise<NotifyResult> =>
  db.transaction(async (session: Session) => {
    const byHash = new Map(tokens.map((token) => [hashToken(token).toString('hex'), token]));
    const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'));
    const live = await selectLiveTokens(session, hashes, notification.domain);
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
    const tokenOf = ({ hash }: LiveTokenRow): string => byHash.get(hash.toString('hex')) as string;
    const known = new Set(live.map(tokenOf));
    return {
      successfulTokens: live.filter((row) => !limited.has(row)).map(tokenOf),
      invalidTokens: [...byHash.values()].filter((token) => !known.has(token)),
      rateLimitedTokens: [...limited].map(tokenOf),
    };
  });
