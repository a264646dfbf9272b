import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { SiblingLink } from '../cache/sibling.js';
import type { MetricData, PrimaryMessage, WorkerMessage } from './message.js';

/**
 * Maximum time that a write waits for the other workers. A worker that has not acknowledged it by then finds the change
 * in the database within a second.
 */
const DELIVERY_MS = 250;

/** The connection of a worker to the primary process. */
export interface PrimaryConnection {
  /** Number of this worker. */
  readonly id: number;
  readonly siblings: SiblingLink;
  /** Reports that the service has started. From then on, requests of the primary for its metrics are answered. */
  started(registry: Registry): void;
  /** Lets the process end. */
  close(): void;
}

/** @returns the connection of this process to its primary process; undefined if it is no worker */
export const connectToPrimary = (): PrimaryConnection | undefined => {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const pending = new Map<number, () => void>();
  let lastId = 0;
  let receive: Parameters<SiblingLink['receive']>[0] | undefined;
  let metrics: Registry | undefined;
  // The process ends by itself when the primary does; until then errors of the channel mean nothing.
  const send = (message: WorkerMessage): void => void process.send?.(message, undefined, undefined, () => undefined);

  process.on('message', (message: PrimaryMessage) => {
    const { type, id } = message;
    if (type === 'broadcast') {
      receive?.(message.content);
      send({ type: 'ack', id });
    } else if (type === 'delivered') pending.get(id)?.();
    else if (type === 'collect') {
      void metrics?.getMetricsAsJSON().then((data) => send({ type: 'metrics', id, metrics: data as MetricData }));
    }
  });

  return {
    id: worker.id,
    siblings: {
      send: (content) =>
        new Promise((resolve) => {
          const id = ++lastId;
          const finish = (): void => {
            clearTimeout(timer);
            pending.delete(id);
            resolve();
          };
          const timer = setTimeout(finish, DELIVERY_MS);
          pending.set(id, finish);
          send({ type: 'broadcast', id, content });
        }),
      receive: (next, isAwaited) => {
        receive = next;
        send({ type: 'joined', isAwaited });
      },
    },
    started: (registry) => {
      metrics = registry;
      send({ type: 'started' });
    },
    close: () => void worker.disconnect(),
  };
};
