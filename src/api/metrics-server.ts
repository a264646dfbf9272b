import { createServer } from 'node:http';
import type { Registry } from 'prom-client';

/** Ports that are tried. */
const MOVES = 100;

interface Place {
  readonly host: string;
  readonly port: number;
  /** Whether the next free port will do if this one is taken. */
  readonly isMovable?: boolean;
}

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

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
  const bind = (host: string, port: number) =>
    new Promise<number>((resolve, reject) => {
      const listening = (): void => {
        server.off('error', failed);
        const bound = server.address();
        resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
      };
      const failed = (error: Error): void => {
        server.off('listening', listening);
        reject(error);
      };
      server.once('error', failed).once('listening', listening).listen(port, host);
    });
  return {
    /** @returns the port; the system chooses one for 0. @throws the network's error */
    listen: async ({ host, port, isMovable = false }: Place): Promise<number> => {
      for (let tried = port; ; tried++) {
        try {
          return await bind(host, tried);
        } catch (error) {
          if (!isMovable || !isTaken(error) || tried === port + MOVES) throw error;
        }
      }
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
export type MetricsServer = ReturnType<typeof createMetricsServer>;
