import { attemptDue } from '../delivery/attempt.js';
import type { DeliveryMeter } from '../delivery/meter.js';
import { createRounds } from '../delivery/round.js';
import type { TargetRule } from '../delivery/target.js';
import { AppError } from '../error.js';
import type { AppHostEventType } from '../schema/miniapp/app-host.js';
import { afterCommit } from '../store/commit-outcome.js';
import type { Database } from '../store/database.js';
import {
  claimDueHostDeliveries,
  deleteHostDelivery,
  type HostDelivery,
  updateHostDeliveryDelivered,
  updateHostDeliveryFailed,
} from '../store/host-delivery.js';
import { deleteHostToken, deleteLiveHostTokens, enliveHostToken, type HostPair } from '../store/host-token.js';
import { acceptHostEvent } from './accept-host-event.js';
import { type MiniAppDomain, readDomain } from './domain.js';
import { endsNotifications } from './event.js';
import type { SignedHostEvent } from './host-event.js';
import { ManifestError } from './manifest-error.js';
import { retryDelay } from './retry-delay.js';
import { hashToken } from './token.js';
import type { TellMiniApp } from './webhook.js';

/** Longer than an attempt may take: what is not settled then belongs to a process that died. */
const LEASE_MS = 15_000;
const POLL_MS = 1_000;
const AT_ONCE = 16;
const OWN_FAULT = 'Something went wrong in this service; its log says what.';

/** Delivers host events: once at the caller's request, and again from the outbox until they arrive. */
export interface HostOutbox {
  /**
   * Accepts an event and makes one attempt to deliver it.
   *
   * @throws AppError 'invalid' for a replayed signature or a foreign token; 'not_found' when the domain is no mini app,
   *   after which nothing is kept; 'bad_gateway' when the attempt failed or an earlier event waits: the message names
   *   the delivery, which goes on
   */
  send(appId: string, domain: MiniAppDomain, signed: SignedHostEvent): Promise<void>;
  /** Begins to look for events that are due. */
  start(): void;
  /** Finishes the attempts that are under way. */
  stop(): Promise<void>;
}

type Sent = HostPair &
  Pick<HostDelivery, 'id' | 'message'> & { readonly event: AppHostEventType; readonly tokenHash: Uint8Array | null };

export const createHostOutbox = (parts: {
  readonly db: Database;
  readonly tell: TellMiniApp;
  readonly rule: TargetRule;
  /** The address that mini apps send notifications to, in each of its forms. */
  readonly notifyUrls: readonly string[];
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly meter: DeliveryMeter;
  /** Is told of faults of our own: a database that is away. */
  readonly failed: (error: unknown) => void;
}): HostOutbox => {
  const { db, rule, notifyUrls, clock, failed } = parts;
  const tell: TellMiniApp = (domain, message) => parts.meter('host_event', () => parts.tell(domain, message));
  const running = new Set<Promise<unknown>>();

  const settleDelivered = (sent: Sent): Promise<void> =>
    db.transaction(async (session) => {
      const now = new Date(clock());
      if (!(await updateHostDeliveryDelivered(session, sent.id, now))) return;
      if (sent.tokenHash) await enliveHostToken(session, sent, sent.tokenHash, now);
      else if (endsNotifications(sent.event)) await deleteLiveHostTokens(session, sent);
    });

  /** Nobody is there to be told: an event that ends notifications has done so, any other has no effect. */
  const withdraw = (sent: Sent): Promise<void> =>
    db.transaction(async (session) => {
      await deleteHostDelivery(session, sent.id);
      if (sent.tokenHash) await deleteHostToken(session, sent.tokenHash);
      else if (endsNotifications(sent.event)) await deleteLiveHostTokens(session, sent);
    });

  const settleFailed = async (sent: Sent, attempts: number, failure: string): Promise<void> => {
    const now = clock();
    const nextAt = new Date(now + retryDelay(attempts, Math.random()));
    await updateHostDeliveryFailed(db, sent.id, { failure, nextAt, now: new Date(now) });
  };

  const retry = async (delivery: HostDelivery): Promise<void> => {
    const sent = { ...delivery, event: delivery.event as AppHostEventType };
    try {
      await tell(readDomain(delivery.domain, rule), delivery.message);
    } catch (error) {
      // A fault of our own counts as an attempt too: else the event would never end, and hold up those behind it.
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
  const look = (): Promise<void> =>
    attemptDue({
      atOnce: AT_ONCE,
      lookMs: POLL_MS,
      claim,
      attempt: retry,
      failed,
      isStopping: () => rounds.isStopping,
    });
  const rounds = createRounds({ everyMs: POLL_MS, round: look, failed });

  const send: HostOutbox['send'] = async (appId, domain, signed) => {
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
      tokenHash,
    };
    try {
      await tell(domain, sent.message);
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
    rounds.wake();
  };

  return {
    send: (appId, domain, signed) => {
      const sending = send(appId, domain, signed);
      const settled = sending.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return sending;
    },
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await Promise.all(running);
    },
  };
};
