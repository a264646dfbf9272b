import { type IncomingMessage, request } from 'node:http';

/** One block of Server-Sent Events. */
export interface StreamBlock {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  readonly data: any;
}

/** A client that reads a stream as text, so that tests see its blocks as they were sent. */
export interface StreamClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Blocks so far, heartbeats included. */
  readonly blocks: readonly StreamBlock[];
  /** Data of the events so far, without heartbeats. */
  readonly events: readonly StreamBlock['data'][];
  /** The body of a response that is no stream. */
  readonly text: string;
  /** Stops reading, or goes on. */
  pause(): void;
  resume(): void;
  close(): void;
  readonly closed: Promise<void>;
}

const parseBlock = (text: string): StreamBlock => {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const at = line.indexOf(':');
    fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''));
  }
  const data = fields.get('data');
  return { id: fields.get('id'), event: fields.get('event'), data: data === undefined ? undefined : JSON.parse(data) };
};

/** Opens a stream; resolves when the response has begun. */
export const openStream = (url: string, headers: Record<string, string> = {}): Promise<StreamClient> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false }, (response) => {
      let unread = '';
      const blocks: StreamBlock[] = [];
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        unread += chunk;
        if (!response.headers['content-type']?.startsWith('text/event-stream')) return;
        const parts = unread.split('\n\n');
        unread = parts.pop() as string;
        blocks.push(...parts.map(parseBlock));
      });
      response.on('error', () => undefined);
      const closed = new Promise<void>((done) => response.once('close', () => done()));
      resolve({
        status: response.statusCode as number,
        headers: response.headers,
        blocks,
        get events() {
          return blocks.flatMap(({ data, event }) => (data === undefined || event !== undefined ? [] : [data]));
        },
        get text() {
          return unread;
        },
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        close: () => void asked.destroy(),
        closed,
      });
    });
    asked.once('error', reject);
    asked.end();
  });
