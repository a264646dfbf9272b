import { createServer } from 'node:http';
import type { Registry } from 'prom-client';
import { JSON_TYPE } from './http/json-type.js';
import { listenAt, type Place } from './listen.js';
import { PASSING, type Status } from './system/readiness.js';

/** Reads the body of `/health/ready` and `/health/fresh`, which say whether the process should get requests, and how it is. */
type ReadReadiness = () => Promise<{ readonly status: Status }>;

type Answer = readonly [status: number, type: string, body: string];

const TEXT = 'text/plain';

const healthAnswer = async (readReadiness: ReadReadiness, passing: ReadonlySet<Status>): Promise<Answer> => {
  const body = await readReadiness();
  return [passing.has(body.status) ? 200 : 503, JSON_TYPE, JSON.stringify(body)];
};

/**
 * Serves `/metrics` for Prometheus on a separate port, which need not be public, and the health of the process. Under
 * load Node accepts one connection in each turn of its loop, so that a probe at the port of the requests waits behind all
 * who connect there.
 * @param readReadiness absent: the process has no checks of its own, and says nothing about its health
 */
export const createMetricsServer = (
  registry: Pick<Registry, 'metrics' | 'contentType'>,
  readReadiness?: ReadReadiness,
) => {
  const answer = async (path: string): Promise<Answer> => {
    if (path === '/metrics') return [200, registry.contentType, await registry.metrics()];
    if (path === '/health/live' && readReadiness !== undefined) return [200, JSON_TYPE, '{"status":"live"}'];
    if (path === '/health/ready' && readReadiness !== undefined) return healthAnswer(readReadiness, PASSING.ready);
    if (path === '/health/fresh' && readReadiness !== undefined) return healthAnswer(readReadiness, PASSING.fresh);
    return [404, TEXT, 'The metrics are at /metrics.\n'];
  };
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const [path = ''] = isRead ? (request.url ?? '').split('?', 1) : [];
    answer(path).then(
      ([status, type, body]) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500, { 'content-type': TEXT }).end('The answer could not be collected.\n'),
    );
  });
  return {
    /** @returns the port; the system chooses one for 0. @throws the network's error */
    listen: (place: Place): Promise<number> => listenAt(server, place),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
export type MetricsServer = ReturnType<typeof createMetricsServer>;
