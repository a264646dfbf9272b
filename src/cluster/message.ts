import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { SiblingNews } from '../cache/sibling.js';

/** The metrics of a process as plain data. */
export type MetricData = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What a worker says to the primary process. */
export type WorkerMessage =
  /** It takes news from now on. */
  | { readonly type: 'joined' }
  /** Its service has started. */
  | { readonly type: 'started' }
  /** To be told to all other workers; `settled` with the same id answers. */
  | { readonly type: 'news'; readonly id: number; readonly news: SiblingNews }
  /** It has taken the news of this id. */
  | { readonly type: 'taken'; readonly id: number }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: MetricData };

/** What the primary process says to a worker. */
export type PrimaryMessage =
  | { readonly type: 'news'; readonly id: number; readonly news: SiblingNews }
  /** All other workers have taken the news of this id. */
  | { readonly type: 'settled'; readonly id: number }
  /** Asks for `metrics` with this id. */
  | { readonly type: 'collect'; readonly id: number };
