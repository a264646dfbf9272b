import { type MasterKey, SealError } from '../config/secret.js';
import type { Database } from '../db/database.js';
import { attemptDue } from '../delivery/attempt-due.js';
import type { DeliveryMeter } from '../delivery/meter.js';
import type { OutboundClient } from '../delivery/outbound.js';
import { createPollingLoop } from '../delivery/polling-loop.js';
import { postJson } from '../delivery/post-json.js';
import { retryDelay } from '../delivery/retry-delay.js';
import { AppError } from '../error.js';
import { type Dialect, wireName } from '../schema/wire-names.js';
import {
  type ClaimedHostPush,
  claimDueHostPushes,
  deleteHostPush,
  selectAppsWithDuePushes,
  updateHostPushFailed,
} from '../store/miniapp/push.js';
import { signBody } from './host-webhook.js';

const ATTEMPT_MS = 5_000;
/** Longer than the timeout of an attempt: what is not settled by then belongs to a process that crashed. */
const LEASE_MS = 15_000;
const POLL_MS = 1_000;
/** Concurrent calls to one app. */
const CONCURRENCY = 8;

const failureOf = (error: unknown): string | undefined => {
  if (error instanceof AppError) return error.message;
  if (error instanceof SealError) return 'The secret of the webhook does not open with the master key of the service.';
  return undefined;
};

/** Pushes notifications to host apps, in any order. A failed push is retried from the outbox. */
export type PushOutbox = ReturnType<typeof createPushOutbox>;

export const createPushOutbox = (dependencies: {
  readonly db: Database;
  readonly outbound: OutboundClient;
  readonly masterKey: MasterKey;
  /** Decides the name of the signature header. */
  readonly dialect: Dialect;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly meter: DeliveryMeter;
  /** Milliseconds between two looks for what is due; a second unless given. */
  readonly pollMs?: number | undefined;
  /** Called with internal errors, such as an unavailable database. */
  readonly failed: (error: unknown) => void;
}) => {
  const { db, outbound, masterKey, clock, meter, failed, pollMs = POLL_MS } = dependencies;
  const signatureHeader = wireName('x-service-signature', dependencies.dialect);
  const draining = new Map<string, Promise<void>>();

  const attempt = async (push: ClaimedHostPush): Promise<void> => {
    const { id, url, body } = push;
    try {
      const headers = { [signatureHeader]: signBody(masterKey, push) };
      const call = { url: new URL(url), body, headers, timeoutMs: ATTEMPT_MS };
      await meter('host_push', () => postJson(outbound, call));
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      const now = clock();
      const nextAt = new Date(now + retryDelay(push.attempts + 1, Math.random()));
      await updateHostPushFailed(db, id, { failure, nextAt, now: new Date(now), leasedUntil: push.nextAt });
      return;
    }
    await deleteHostPush(db, id);
  };

  const drain = (appId: string): Promise<void> =>
    attemptDue({
      concurrency: CONCURRENCY,
      pollIntervalMs: pollMs,
      claim: (limit) => {
        const now = clock();
        return claimDueHostPushes(db, appId, { now: new Date(now), until: new Date(now + LEASE_MS), limit });
      },
      attempt,
      failed,
      isStopping: () => rounds.isStopping,
    });

  /** Starts due deliveries without waiting for them, so that a slow app delays no other. */
  const look = async (): Promise<void> => {
    for (const appId of await selectAppsWithDuePushes(db, new Date(clock()))) {
      if (draining.has(appId) || rounds.isStopping) continue;
      draining.set(
        appId,
        drain(appId)
          .catch(failed)
          .finally(() => void draining.delete(appId)),
      );
    }
  };
  const rounds = createPollingLoop({ everyMs: pollMs, round: look, failed });

  return {
    /** Starts to deliver what is due, without waiting for the deliveries. */
    pollNow: rounds.pollNow,
    /** Starts to poll regularly. */
    start: rounds.start,
    /** Waits for the attempts in progress. */
    stop: async (): Promise<void> => {
      await rounds.stop();
      await Promise.all(draining.values());
    },
  };
};
