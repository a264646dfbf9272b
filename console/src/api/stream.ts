import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { BASE } from './base.js';
import { checkStatus, failureOf, ServiceError } from './client.js';

/** An event as webhooks and streams have it. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  /** Unix seconds. */
  readonly created_at: number;
  // biome-ignore lint/suspicious/noExplicitAny: each type has members of its own, which are looked at one by one
  readonly data: any;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

export type StreamState = 'opening' | 'open' | 'waiting' | 'stopped';

/** Each opening costs units, so what the service refuses is not asked for again. */
const isRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status >= 400 && error.status < 500;

/** @throws ServiceError if the service does not open the stream */
const openStream = async (since: string | undefined, signal: AbortSignal) => {
  const response = await fetch(`${BASE}/v2/social/stream/${since ? `?since=${encodeURIComponent(since)}` : ''}`, {
    headers: { 'x-castellan-console': '1', accept: 'text/event-stream' },
    signal,
  });
  const { status, body } = response;
  checkStatus(status);
  if (response.ok && body !== null) return body;
  const parsed: unknown = await response.json().catch(() => undefined);
  throw failureOf({ status, parsed, requestId: response.headers.get('x-request-id') ?? undefined });
};

/**
 * Reads the stream of events until the signal is aborted, and goes on where it ended.
 * @param since as the parameter of the stream; undefined: from now on
 * @throws ServiceError if the service refuses the stream
 */
export const readStream = async (
  signal: AbortSignal,
  {
    since,
    received,
    changed,
  }: {
    readonly since?: string;
    readonly received: (event: StreamedEvent) => void;
    readonly changed: (state: StreamState) => void;
  },
): Promise<void> => {
  let last = since;
  let pauseMs = FIRST_PAUSE_MS;
  const take = ({ id, data }: EventSourceMessage): void => {
    if (id) last = id;
    const event = data ? (JSON.parse(data) as StreamedEvent) : undefined;
    if (!event || event.type === 'end') return;
    received(event);
  };
  while (!signal.aborted) {
    changed('opening');
    const beganAt = performance.now();
    try {
      const body = await openStream(last, signal);
      changed('open');
      const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      const reader = events.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
    } catch (error) {
      // Otherwise a service that restarts, or the end of the page.
      if (isRefused(error) && !signal.aborted) {
        const isForgotten = error.status === 410 && last !== undefined;
        if (!isForgotten) {
          changed('stopped');
          throw error;
        }
        // The service no longer keeps that event.
        last = undefined;
      }
    }
    if (signal.aborted) return;
    // It was open for a while: what ends it now is not what ended it before.
    if (performance.now() - beganAt > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
    changed('waiting');
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
};
