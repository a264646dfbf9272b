import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { SiblingLink } from '../cache/sibling.js';
import type { MetricData, PrimaryMessage, WorkerMessage } from './message.js';

/** How long a write waits for workers that do not answer. They find it in the database within a second. */
const SETTLE_MS = 250;

/** The connection of a worker to the primary process. */
export interface PrimaryConnection {
  /** Number of this worker. */
  readonly id: number;
  readonly siblings: SiblingLink;
  /** Says that the service has started, and answers the primary's questions for its metrics. */
  started(registry: Registry): void;
  /** Lets the process end. */
  close(): void;
}

/** @returns the connection of this process to its primary process; undefined if it is no worker */
export const connectToPrimary = (): PrimaryConnection | undefined => {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const unsettled = new Map<number, () => void>();
  let lastId = 0;
  let take: Parameters<SiblingLink['receive']>[0] | undefined;
  let metrics: Registry | undefined;
  // The process ends by itself when the primary does; until then errors of the channel mean nothing.
  const say = (message: WorkerMessage): void => void process.send?.(message, undefined, undefined, () => undefined);

  process.on('message', (message: PrimaryMessage) => {
    const { type, id } = message;
    if (type === 'news') {
      take?.(message.news);
      say({ type: 'taken', id });
    } else if (type === 'settled') unsettled.get(id)?.();
    else if (type === 'collect') {
      void metrics?.getMetricsAsJSON().then((data) => say({ type: 'metrics', id, metrics: data as MetricData }));
    }
  });

  return {
    id: worker.id,
    siblings: {
      send: (news) =>
        new Promise((resolve) => {
          const id = ++lastId;
          const settle = (): void => {
            clearTimeout(timer);
            unsettled.delete(id);
            resolve();
          };
          const timer = setTimeout(settle, SETTLE_MS);
          unsettled.set(id, settle);
          say({ type: 'news', id, news });
        }),
      receive: (next) => {
        take = next;
        say({ type: 'joined' });
      },
    },
    started: (registry) => {
      metrics = registry;
      say({ type: 'started' });
    },
    close: () => void worker.disconnect(),
  };
};
