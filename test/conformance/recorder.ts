import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that went to the service, and its answer, both as they were on the wire. */
export interface Exchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined where none was sent, or no JSON. */
  readonly sent: unknown;
  readonly status: number;
  /** The header `ETag`; null without one. */
  readonly entityTag: string | null;
  /** Parsed JSON, before any client saw it. */
  readonly answer: unknown;
}

/** Passes requests on to a service and writes down what is said. */
export interface Recorder {
  readonly url: string;
  /** Everything since the last call of this, in the order of the answers. */
  take(): Exchange[];
  stop(): Promise<void>;
}

/** Belong to one connection, or are made anew for the next. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'content-encoding', 'host', 'transfer-encoding']);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** @param target address of the running service */
export const startRecorder = async (target: string): Promise<Recorder> => {
  let said: Exchange[] = [];
  const pass = async (request: IncomingMessage) => {
    const { method = 'GET', url = '/' } = request;
    const body = await bodyOf(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers)
        .filter(([name]) => !OF_CONNECTION.has(name))
        .map(([name, value]) => [name, String(value)]),
    );
    const answer = await fetch(`${target}${url}`, { method, headers, ...(body.length > 0 ? { body } : {}) });
    const text = await answer.text();
    const { pathname, searchParams } = new URL(url, target);
    const sent = parsed(body.toString());
    said.push({
      method,
      path: pathname,
      query: searchParams,
      headers,
      sent,
      status: answer.status,
      entityTag: answer.headers.get('etag'),
      answer: parsed(text),
    });
    return { answer, text };
  };
  const server = createServer((request, response) => {
    pass(request).then(
      ({ answer, text }) => {
        const headers = [...answer.headers].filter(([name]) => !OF_CONNECTION.has(name));
        response.writeHead(answer.status, Object.fromEntries(headers)).end(text);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => said.splice(0),
    stop: async () => {
      said = [];
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};
