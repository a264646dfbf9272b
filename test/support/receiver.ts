import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as it arrived, body and all. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Local address of the connection. */
  readonly localAddress: string | undefined;
}

/** A real HTTP server on loopback in the role of an external one. */
export interface Receiver {
  readonly port: number;
  /** `http://127.0.0.1:port`, or `https://localhost:port` with a certificate. */
  readonly url: string;
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

/** @param answer handles each complete request; by default responds with 200 and `{}` */
export const startReceiver = async (
  answer: (request: Received, response: ServerResponse) => void | Promise<void> = (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{}');
  },
  tls?: Pick<ServerOptions, 'cert' | 'key'>,
): Promise<Receiver> => {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      localAddress: request.socket.localAddress,
    };
    received.push(one);
    await answer(one, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    received,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
