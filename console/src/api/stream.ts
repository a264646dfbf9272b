import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { BASE } from './base.js';
import { checkStatus } from './client.js';

/** An event as webhooks and streams have it. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  /** Unix seconds. */
  readonly created_at: number;
  // biome-ignore lint/suspicious/noExplicitAny: each type has members of its own, which are looked at one by one
  readonly data: any;
}

const RETRY_MS = 2_000;

export type StreamState = 'opening' | 'open' | 'waiting';

/**
 * Reads the stream of events until the signal is aborted, and goes on where it ended.
 * @param since as the parameter of the stream; undefined: from now on
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
  const take = ({ id, data }: EventSourceMessage): void => {
    if (id) last = id;
    const event = data ? (JSON.parse(data) as StreamedEvent) : undefined;
    if (event && event.type !== 'end') received(event);
  };
  while (!signal.aborted) {
    changed('opening');
    try {
      const response = await fetch(`${BASE}/v2/social/stream/${last ? `?since=${encodeURIComponent(last)}` : ''}`, {
        headers: { 'x-castellan-console': '1', accept: 'text/event-stream' },
        signal,
      });
      checkStatus(response.status);
      if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
      changed('open');
      const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      const reader = events.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
    } catch {
      // A service that restarts, or the end of the page.
    }
    if (signal.aborted) return;
    changed('waiting');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
};
