import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { SiblingBroadcast } from '../cache/sibling.js';

/** The metrics of a process as plain data. */
export type MetricData = readonly MetricObjectWithValues<MetricValue<string>>[];

/** A message of a worker to the primary process. */
export type WorkerMessage =
  /** It receives broadcasts from now on. `isAwaited`: their senders wait until it has applied them. */
  | { readonly type: 'joined'; readonly isAwaited: boolean }
  /** Its service has started. */
  | { readonly type: 'started' }
  /** To be sent to all other workers; `delivered` with the same id is the response. */
  | { readonly type: 'broadcast'; readonly id: number; readonly content: SiblingBroadcast }
  /** It has applied the broadcast of this id. */
  | { readonly type: 'ack'; readonly id: number }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: MetricData };

/** A message of the primary process to a worker. */
export type PrimaryMessage =
  | { readonly type: 'broadcast'; readonly id: number; readonly content: SiblingBroadcast }
  /** All workers that are awaited have applied the broadcast of this id. */
  | { readonly type: 'delivered'; readonly id: number }
  /** Asks for `metrics` with this id. */
  | { readonly type: 'collect'; readonly id: number };
