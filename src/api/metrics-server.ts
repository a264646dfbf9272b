import { createServer } from 'node:http';
import type { Registry } from 'prom-client';

export interface MetricsServer {
  /** @returns the port; the system chooses one for 0. @throws the network's error */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  stop(): Promise<void>;
}

/** Serves `/metrics` for Prometheus on a separate port, which need not be public. */
export const createMetricsServer = (registry: Pick<Registry, 'metrics' | 'contentType'>): MetricsServer => {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('The metrics are at /metrics.\n');
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500, { 'content-type': 'text/plain' }).end('The metrics could not be collected.\n'),
    );
  });
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const bound = server.address();
          resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
