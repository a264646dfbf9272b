import type { DeliveryMeter } from '../../delivery/meter.js';
import type { OutboundClient } from '../../delivery/outbound.js';
import { OutboundError } from '../../delivery/outbound-error.js';
import { postJson } from '../../delivery/post-json.js';
import { signatureOf } from '../../delivery/signature.js';
import { AppError } from '../../error.js';
import { type Dialect, wireName } from '../../schema/wire-names.js';
import type { AttemptOutcome } from '../../store/event/delivery.js';
import type { OpenSecret } from './signature.js';

/** For the whole call: DNS, connection, request and response. */
const TIMEOUT_MS = 10_000;

/** One call of a receiver. */
export interface WebhookCall {
  readonly targetUrl: string;
  readonly dialect: Dialect;
  readonly body: string;
  /** Secrets of the webhook, oldest first; at least one. */
  readonly secrets: readonly OpenSecret[];
  /** The same in every attempt. */
  readonly deliveryId: string;
  /** Id of the event: `4711-0`. */
  readonly eventId: string;
  /** 1 for the first attempt. */
  readonly number: number;
}

export type CallResult = Pick<AttemptOutcome, 'latencyMs' | 'status' | 'failure'>;

/**
 * Receivers compare one value, so the header holds one signature: that of the oldest secret. During a rotation a second
 * header holds that of the new one, so that a receiver can go over to it at any time.
 */
const headersOf = ({ dialect, body, secrets, deliveryId, eventId, number }: WebhookCall): Record<string, string> => {
  const [current, next] = secrets as readonly [OpenSecret, OpenSecret?];
  const signature = wireName('x-service-signature', dialect);
  return {
    [signature]: signatureOf(current.value, body),
    ...(next && { [`${signature}-next`]: signatureOf(next.value, body) }),
    'x-service-delivery': deliveryId,
    'x-service-event-id': eventId,
    'x-service-attempt': String(number),
  };
};

/** Sends an event once. Never throws for what the receiver does. @throws the reason of `signal` when that is aborted */
export const callWebhook = async (
  {
    outbound,
    meter,
    signal,
  }: { readonly outbound: OutboundClient; readonly meter: DeliveryMeter; readonly signal?: AbortSignal },
  call: WebhookCall,
): Promise<CallResult> => {
  const began = performance.now();
  const result = (status: number | null, failure: string | null): CallResult => ({
    latencyMs: Math.round(performance.now() - began),
    status,
    failure,
  });
  try {
    return await meter('webhook', async () => {
      const request = {
        url: new URL(call.targetUrl),
        headers: headersOf(call),
        body: call.body,
        timeoutMs: TIMEOUT_MS,
        ignoresBody: true,
        ...(signal && { signal }),
      };
      return result(await postJson(outbound, request), null);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return result(error instanceof OutboundError ? (error.status ?? null) : null, error.message);
  }
};
