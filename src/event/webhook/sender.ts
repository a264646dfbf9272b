import { type MasterKey, SealError } from '../../config/secret.js';
import type { Database } from '../../db/database.js';
import type { DeliveryMeter } from '../../delivery/meter.js';
import type { OutboundClient } from '../../delivery/outbound.js';
import { createOwnerLoop } from '../../delivery/owner-loop.js';
import { retryDelay } from '../../delivery/retry-delay.js';
import { UNANNOUNCED_WORK_MS } from '../../duration.js';
import type { Dialect } from '../../schema/wire-names.js';
import {
  type AttemptOutcome,
  claimDueDeliveries,
  type DueDelivery,
  releaseDeliveries,
  selectDueWebhooks,
  settleDeliveries,
} from '../../store/event/delivery.js';
import { callWebhook } from './attempt.js';
import { updateWebhookHealth } from './health.js';
import { SendRate } from './send-rate.js';
import { type OpenSecret, openSecrets } from './signature.js';

/** Deliveries that are reserved at once for a webhook. */
const BATCH = 64;
/** Concurrent calls to one receiver. */
const CONCURRENCY = 8;
/** No attempt of a batch begins later than this after the batch was reserved; the last attempts may end later. */
const BATCH_MS = 5_000;
/** Longer than a batch with its last attempts: what is not settled by then belongs to a process that crashed. */
const LEASE_MS = 40_000;
/** A receiver that has failed for this long gets one call at a time, until one succeeds. */
const FAILING_MS = 60_000;
/** Concurrent batches of healthy webhooks, and as many of failing and slow ones, so that these delay no others. */
const MAX_WEBHOOKS = 64;

const OWN_FAILURE = 'Something went wrong in this service; its log says what.';
const FOREIGN_SECRET = 'The secret of the webhook does not open with the master key of the service.';

interface DueWebhook {
  readonly id: string;
  readonly targetUrl: string;
  readonly dialect: Dialect;
  readonly isFailing: boolean;
}

/** Sends what is due to the receivers of webhooks. */
export const createEventSender = (dependencies: {
  readonly db: Database;
  readonly outbound: OutboundClient;
  readonly masterKey: MasterKey;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly meter: DeliveryMeter;
  /** Called for each failed attempt with the id of the webhook. */
  readonly attemptFailed: (webhookId: string) => void;
  /** Milliseconds between two looks for what is due and was not announced; ten seconds unless given. */
  readonly pollMs?: number | undefined;
  /** Called with internal errors, such as an unavailable database. */
  readonly failed: (error: unknown) => void;
}) => {
  const { db, outbound, masterKey, clock, meter, attemptFailed, failed, pollMs = UNANNOUNCED_WORK_MS } = dependencies;
  const rate = new SendRate(clock);
  /** Webhooks whose last batch took longer than batches should. */
  const slow = new Set<string>();

  /** @param secrets undefined: they do not open @returns undefined if the service stops before the receiver answers */
  const attempt = async (
    webhook: DueWebhook,
    secrets: readonly OpenSecret[] | undefined,
    delivery: DueDelivery,
  ): Promise<AttemptOutcome | undefined> => {
    const at = new Date(clock());
    const number = delivery.attempts + 1;
    const nextAt = new Date(at.getTime() + retryDelay(number, Math.random()));
    const failure = (text: string): AttemptOutcome => ({
      delivery,
      at,
      nextAt,
      latencyMs: 0,
      status: null,
      failure: text,
    });
    if (secrets === undefined || secrets.length === 0) return failure(FOREIGN_SECRET);
    const { body, id: deliveryId, logId, part } = delivery;
    try {
      const call = { ...webhook, secrets, body, deliveryId, eventId: `${logId}-${part}`, number };
      return { delivery, at, nextAt, ...(await callWebhook({ outbound, meter, signal: rounds.signal }, call)) };
    } catch (error) {
      if (rounds.signal.aborted) return undefined;
      failed(error);
      return failure(OWN_FAILURE);
    }
  };

  /** Sends the deliveries, some at a time. @returns the outcomes; what there was no time for is missing */
  const sendAll = async (webhook: DueWebhook, due: readonly DueDelivery[], now: number): Promise<AttemptOutcome[]> => {
    const secrets = await openSecrets(db, masterKey, [webhook.id], new Date(now)).catch((error: unknown) => {
      if (error instanceof SealError) return undefined;
      throw error;
    });
    const end = performance.now() + BATCH_MS;
    // One iterator for all workers: each takes the next delivery.
    const waiting = due.values();
    const outcomes: AttemptOutcome[] = [];
    const work = async (): Promise<void> => {
      for (const delivery of waiting) {
        const outcome = await attempt(webhook, secrets, delivery);
        if (outcome === undefined) return;
        outcomes.push(outcome);
        if (outcome.failure !== null) {
          attemptFailed(webhook.id);
          rounds.pollIn(outcome.nextAt.getTime() - clock());
        }
        if (performance.now() > end || rounds.isStopping) return;
      }
    };
    await Promise.all(Array.from({ length: webhook.isFailing ? 1 : CONCURRENCY }, work));
    return outcomes;
  };

  /** @returns whether more may be due */
  const sendBatch = async (webhook: DueWebhook): Promise<boolean> => {
    const now = clock();
    const limit = Math.min(webhook.isFailing ? 1 : BATCH, rate.left(webhook.id));
    if (limit === 0) return false;
    const until = new Date(now + LEASE_MS);
    const due = await claimDueDeliveries(db, webhook.id, { now: new Date(now), until, limit });
    if (due.length === 0) return false;
    rate.add(webhook.id, due.length);
    const outcomes = await sendAll(webhook, due, now);
    if (clock() - now > BATCH_MS) slow.add(webhook.id);
    else slow.delete(webhook.id);
    await settleDeliveries(db, webhook.id, outcomes, until);
    const settled = new Set(outcomes.map(({ delivery }) => delivery.id));
    const unsent = due.filter(({ id }) => !settled.has(id)).map(({ id }) => id);
    await releaseDeliveries(db, unsent, new Date(clock()));
    const isOn = await updateWebhookHealth(db, webhook, outcomes, new Date(clock()));
    return isOn && !webhook.isFailing;
  };

  const selectDue = async (): Promise<DueWebhook[]> => {
    const now = clock();
    const due = await selectDueWebhooks(db, new Date(now), new Date(now - FAILING_MS));
    return due.map(({ dialect, ...webhook }) => ({ ...webhook, dialect: dialect as Dialect }));
  };
  const isDelaying = ({ id, isFailing }: DueWebhook): boolean => isFailing || slow.has(id);
  const hasRoom = (webhook: DueWebhook, busy: readonly DueWebhook[]): boolean =>
    busy.filter((one) => isDelaying(one) === isDelaying(webhook)).length < MAX_WEBHOOKS;
  // One batch at a time: the next poll reads the address again, and lets webhooks go first that have waited longer.
  const rounds = createOwnerLoop({ everyMs: pollMs, selectDue, work: sendBatch, hasRoom, failed });
  const { pollNow, start, stop } = rounds;
  return { pollNow, start, stop };
};
export type EventSender = ReturnType<typeof createEventSender>;
