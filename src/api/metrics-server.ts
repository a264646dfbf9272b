import { createServer } from 'node:http';
import type { Registry } from 'prom-client';

/** Serves `/metrics` for Prometheus on a separate port, which need not be public. */
export const createMetricsServer = (registry: Pick<Registry, 'metrics' | 'contentType'>) => {
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
    /** @returns the port; the system chooses one for 0. @throws the network's error */
    listen: ({ host, port }: { readonly host: string; readonly port: number }) =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const bound = server.address();
          resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
        });
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
export type MetricsServer = ReturnType<typeof createMetricsServer>;
