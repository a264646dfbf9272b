import { type MasterKey, SealError } from '../config/secret.js';
import type { Database } from '../db/database.js';
import { attemptDue } from '../delivery/attempt-due.js';
import type { DeliveryMeter } from '../delivery/meter.js';
import type { OutboundClient } from '../delivery/outbound.js';
import { createOwnerLoop } from '../delivery/owner-loop.js';
import { postJson } from '../delivery/post-json.js';
import { retryDelay } from '../delivery/retry-delay.js';
import { UNANNOUNCED_WORK_MS } from '../duration.js';
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
/** How often notifications of an app are looked for that became due during its calls. */
const DUE_MS = 1_000;
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
  /** Milliseconds between two looks for what is due and was not announced; ten seconds unless given. */
  readonly pollMs?: number | undefined;
  /** Called with internal errors, such as an unavailable database. */
  readonly failed: (error: unknown) => void;
}) => {
  const { db, outbound, masterKey, clock, meter, failed, pollMs = UNANNOUNCED_WORK_MS } = dependencies;
  const signatureHeader = wireName('x-service-signature', dependencies.dialect);

  const attempt = async (push: ClaimedHostPush): Promise<void> => {
    const { id, url, body } = push;
    try {
      const headers = { [signatureHeader]: signBody(masterKey, push) };
      const { signal } = rounds;
      const call = { url: new URL(url), body, headers, timeoutMs: ATTEMPT_MS, ignoresBody: true, signal };
      await meter('host_push', () => postJson(outbound, call));
    } catch (error) {
      // Due again when its lease ends.
      if (rounds.signal.aborted) return;
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      const now = clock();
      const nextAt = new Date(now + retryDelay(push.attempts + 1, Math.random()));
      await updateHostPushFailed(db, id, { failure, nextAt, now: new Date(now), leasedUntil: push.nextAt });
      rounds.pollIn(nextAt.getTime() - now);
      return;
    }
    await deleteHostPush(db, id);
  };

  const drain = ({ id: appId }: { readonly id: string }): Promise<void> =>
    attemptDue({
      concurrency: CONCURRENCY,
      pollIntervalMs: DUE_MS,
      claim: (limit) => {
        const now = clock();
        return claimDueHostPushes(db, appId, { now: new Date(now), until: new Date(now + LEASE_MS), limit });
      },
      attempt,
      failed,
      isStopping: () => rounds.isStopping,
    });
  const selectDue = () => selectAppsWithDuePushes(db, new Date(clock()));
  const rounds = createOwnerLoop({ everyMs: pollMs, selectDue, work: drain, failed });
  const { pollNow, start, stop } = rounds;
  return { pollNow, start, stop };
};
