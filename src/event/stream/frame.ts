import type { EndReason } from './end-reason.js';

/** The last message of a stream that the service ends. */
export interface StreamEnd {
  readonly type: 'end';
  readonly reason: EndReason;
  readonly message: string;
  /** Where to go on: `since` of the next stream. */
  readonly id: string;
}

/** How a kind of connection writes messages. */
export interface FrameFormat {
  /** @param body JSON object in one line */
  event(id: string, body: string): string;
  /** Shows the client that the connection works, and up to which event it has everything. */
  heartbeat(id: string): string;
  end(end: StreamEnd): string;
}

/** @returns an event with its id, as every reader of the log gets it: JSON in one line */
export const withId = (id: string, body: string): string => `{"id":"${id}",${body.slice(1)}`;

/** Server-Sent Events (HTML Standard, section 9.2): a client sends the last `id` back in the header `Last-Event-ID`. */
export const serverSentEvents: FrameFormat = {
  event: (id, body) => `id: ${id}\ndata: ${withId(id, body)}\n\n`,
  // A block without data makes no event, but the client remembers its id.
  heartbeat: (id) => `: heartbeat\nid: ${id}\n\n`,
  end: (end) => `event: end\nid: ${end.id}\ndata: ${JSON.stringify(end)}\n\n`,
};

/** Text messages of a WebSocket, each a JSON object. */
export const webSocketMessages: FrameFormat = {
  event: withId,
  heartbeat: (id) => `{"type":"heartbeat","id":"${id}"}`,
  end: (end) => JSON.stringify(end),
};
