import { type MasterKey, SealError } from '../config/secret.js';
import { attemptDue } from '../delivery/attempt.js';
import type { DeliveryMeter } from '../delivery/meter.js';
import type { OutboundClient } from '../delivery/outbound.js';
import { postJson } from '../delivery/post-json.js';
import { createRounds } from '../delivery/round.js';
import { AppError } from '../error.js';
import { type Dialect, wireName } from '../schema/wire-names.js';
import type { Database } from '../store/database.js';
import {
  type ClaimedHostPush,
  claimDueHostPushes,
  deleteHostPush,
  selectAppsWithDuePushes,
  updateHostPushFailed,
} from '../store/host-push.js';
import { signBody } from './host-webhook.js';
import { retryDelay } from './retry-delay.js';

const ATTEMPT_MS = 5_000;
/** Longer than an attempt may take: what is not settled then belongs to a process that died. */
const LEASE_MS = 15_000;
const POLL_MS = 1_000;
/** Calls to one app at a time. */
const AT_ONCE = 8;

/** Tells host apps of notifications as they come. They need no order; what fails is tried again from the outbox. */
export interface PushOutbox {
  /** Looks at once for what is to be sent; a push is not waited for. */
  wake(): void;
  /** Begins to look regularly. */
  start(): void;
  /** Finishes the attempts that are under way. */
  stop(): Promise<void>;
}

const failureOf = (error: unknown): string | undefined => {
  if (error instanceof AppError) return error.message;
  if (error instanceof SealError) return 'The secret of the webhook does not open with the master key of the service.';
  return undefined;
};

export const createPushOutbox = (parts: {
  readonly db: Database;
  readonly outbound: OutboundClient;
  readonly masterKey: MasterKey;
  /** Whose name the header of the signature has. */
  readonly dialect: Dialect;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly meter: DeliveryMeter;
  /** Is told of faults of our own: a database that is away. */
  readonly failed: (error: unknown) => void;
}): PushOutbox => {
  const { db, outbound, masterKey, clock, meter, failed } = parts;
  const signatureHeader = wireName('x-service-signature', parts.dialect);
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
      await updateHostPushFailed(db, id, { failure, nextAt, now: new Date(now) });
      return;
    }
    await deleteHostPush(db, id);
  };

  const drain = (appId: string): Promise<void> =>
    attemptDue({
      atOnce: AT_ONCE,
      lookMs: POLL_MS,
      claim: (limit) => {
        const now = clock();
        return claimDueHostPushes(db, appId, { now: new Date(now), until: new Date(now + LEASE_MS), limit });
      },
      attempt,
      failed,
      isStopping: () => rounds.isStopping,
    });

  /** Begins what is due and does not wait for it: an app that answers slowly holds up itself alone. */
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
  const rounds = createRounds({ everyMs: POLL_MS, round: look, failed });

  return {
    wake: rounds.wake,
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await Promise.all(draining.values());
    },
  };
};
