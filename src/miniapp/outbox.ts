import { afterCommit } from '../db/commit-outcome.js';
import type { Database } from '../db/database.js';
import { attemptDue } from '../delivery/attempt-due.js';
import type { DeliveryMeter } from '../delivery/meter.js';
import { createPollingLoop } from '../delivery/polling-loop.js';
import { retryDelay } from '../delivery/retry-delay.js';
import type { TargetRule } from '../delivery/target.js';
import { UNANNOUNCED_WORK_MS } from '../duration.js';
import { AppError } from '../error.js';
import {
  claimDueHostDeliveries,
  deleteHostDelivery,
  type HostDelivery,
  updateHostDeliveryDelivered,
  updateHostDeliveryFailed,
} from '../store/miniapp/delivery.js';
import { activateHostToken, deleteActiveHostTokens, deleteHostToken, type HostPair } from '../store/miniapp/token.js';
import { acceptHostEvent } from './accept-host-event.js';
import { type MiniAppDomain, readDomain } from './domain.js';
import { disablesNotifications, type LegacyEventType } from './event.js';
import type { SignedHostEvent } from './host-event.js';
import { ManifestError } from './manifest-error.js';
import { hashToken } from './token.js';
import type { SendWebhook } from './webhook.js';

/** Longer than the timeout of an attempt: what is not settled by then belongs to a process that crashed. */
const LEASE_MS = 15_000;
/** How often events are looked for that became due during attempts. */
const DUE_MS = 1_000;
const CONCURRENCY = 16;
const OWN_FAULT = 'Something went wrong in this service; its log says what.';

/** Delivers host events: at once when requested, then from the outbox until they arrive. */
export type HostOutbox = ReturnType<typeof createHostOutbox>;

type Sent = HostPair &
  Pick<HostDelivery, 'id' | 'message' | 'nextAt'> & {
    readonly event: LegacyEventType;
    readonly tokenHash: Uint8Array | null;
  };

export const createHostOutbox = (dependencies: {
  readonly db: Database;
  readonly sendWebhook: SendWebhook;
  readonly rule: TargetRule;
  /** The URL to which mini apps send notifications, in each of its forms. */
  readonly notifyUrls: readonly string[];
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly meter: DeliveryMeter;
  /** Milliseconds between two looks for what is due and was not announced; ten seconds unless given. */
  readonly pollMs?: number | undefined;
  /** Called with internal errors, such as an unavailable database. */
  readonly failed: (error: unknown) => void;
}) => {
  const { db, rule, notifyUrls, clock, failed, pollMs = UNANNOUNCED_WORK_MS } = dependencies;
  const sendWebhook: SendWebhook = (domain, message) =>
    dependencies.meter('host_event', () => dependencies.sendWebhook(domain, message));
  const running = new Set<Promise<unknown>>();

  const settleDelivered = (sent: Sent): Promise<void> =>
    db.transaction(async (session) => {
      const now = new Date(clock());
      if (!(await updateHostDeliveryDelivered(session, sent.id, now))) return;
      if (sent.tokenHash) await activateHostToken(session, sent, sent.tokenHash, now);
      else if (disablesNotifications(sent.event)) await deleteActiveHostTokens(session, sent);
    });

  /** There is no receiver: an event that disables notifications has done so already, any other has no effect. */
  const withdraw = (sent: Sent): Promise<void> =>
    db.transaction(async (session) => {
      await deleteHostDelivery(session, sent.id);
      if (sent.tokenHash) await deleteHostToken(session, sent.tokenHash);
      else if (disablesNotifications(sent.event)) await deleteActiveHostTokens(session, sent);
    });

  const settleFailed = async (sent: Sent, attempts: number, failure: string): Promise<void> => {
    const now = clock();
    const nextAt = new Date(now + retryDelay(attempts, Math.random()));
    await updateHostDeliveryFailed(db, sent.id, { failure, nextAt, now: new Date(now), leasedUntil: sent.nextAt });
    rounds.pollIn(nextAt.getTime() - now);
  };

  const retry = async (delivery: HostDelivery): Promise<void> => {
    const sent = { ...delivery, event: delivery.event as LegacyEventType };
    try {
      await sendWebhook(readDomain(delivery.domain, rule), delivery.message);
    } catch (error) {
      // Internal errors count as attempts, too. Otherwise the event would never expire and block later ones.
      if (!(error instanceof AppError)) failed(error);
      await settleFailed(sent, delivery.attempts + 1, error instanceof AppError ? error.message : OWN_FAULT);
      return;
    }
    await settleDelivered(sent);
  };

  const claim = (limit: number): Promise<HostDelivery[]> => {
    const now = clock();
    return claimDueHostDeliveries(db, { now: new Date(now), until: new Date(now + LEASE_MS), limit });
  };
  const deliverDue = (): Promise<void> =>
    attemptDue({
      concurrency: CONCURRENCY,
      pollIntervalMs: DUE_MS,
      claim,
      attempt: retry,
      failed,
      isStopping: () => rounds.isStopping,
    });
  const rounds = createPollingLoop({ everyMs: pollMs, round: deliverDue, failed });

  const send = async (appId: string, domain: MiniAppDomain, signed: SignedHostEvent): Promise<void> => {
    const now = clock();
    const acceptance = {
      appId,
      domain: domain.name,
      notifyUrls,
      signed,
      now: new Date(now),
      until: new Date(now + LEASE_MS),
    };
    const { id, isFirst } = await acceptHostEvent(db, acceptance);
    if (!isFirst) {
      const message = `An event for this user and domain is still on its way; delivery ${id} follows in its turn.`;
      throw new AppError('bad_gateway', 'BadGateway', message);
    }
    const { event, encoded, fid } = signed;
    const tokenHash = event.notificationDetails ? hashToken(event.notificationDetails.token) : null;
    const sent = {
      id,
      appId,
      fid,
      domain: domain.name,
      event: event.event,
      message: JSON.stringify(encoded),
      nextAt: acceptance.until,
      tokenHash,
    };
    try {
      await sendWebhook(domain, sent.message);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error instanceof ManifestError && error.isAbsent) {
        await afterCommit(() => withdraw(sent));
        throw error;
      }
      await afterCommit(() => settleFailed(sent, 1, error.message));
      throw new AppError('bad_gateway', 'BadGateway', `${error.message} It is tried again as delivery ${id}.`, {
        cause: error,
      });
    }
    await afterCommit(() => settleDelivered(sent));
    rounds.pollNow();
  };

  return {
    /**
     * Accepts an event and makes one attempt to deliver it.
     * @throws AppError 'invalid' for a replayed signature or a foreign token; 'not_found' if the domain is not a mini
     *   app, and then nothing is stored; 'bad_gateway' if the attempt failed or an earlier event is pending: the message
     *   names the delivery, which is retried
     */
    send: (...event: Parameters<typeof send>): Promise<void> => {
      const sending = send(...event);
      const settled = sending.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return sending;
    },
    /** Starts to poll for due events. */
    start: rounds.start,
    /** Waits for the attempts in progress. */
    stop: async (): Promise<void> => {
      await rounds.stop();
      await Promise.all(running);
    },
  };
};
