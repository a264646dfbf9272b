import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import type { MetricData } from './message.js';

/** How long a scrape waits for a worker; after that, its metrics of the last scrape are used. */
const ANSWER_MS = 1_000;

/** A worker as the sum of metrics sees it. */
interface Source {
  readonly id: number;
  /** Requests the metrics, which are passed to `received` with this id. */
  ask(id: number): void;
}

const isCumulative = ({ type }: MetricData[number]): boolean => ['counter', 'histogram'].includes(String(type));

const aggregate = (parts: readonly MetricData[]): Registry =>
  AggregatorRegistry.aggregate(parts.map((metrics) => [...metrics]) as never) as Registry;

/**
 * The metrics of all workers together. What a worker counted before it ended stays in the sums as of the last scrape:
 * otherwise Prometheus would take the smaller sum for a reset of the counter, and count everything again.
 */
export class MetricSum {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #sources: () => readonly Source[];
  readonly #own = new Registry();
  readonly #last = new Map<number, MetricData>();
  readonly #pending = new Map<number, () => void>();
  #ended: MetricData = [];
  #lastId = 0;

  constructor(sources: () => readonly Source[]) {
    this.#sources = sources;
    new Gauge({
      name: 'castellan_workers',
      help: 'Worker processes that run now',
      registers: [this.#own],
      collect() {
        this.set(sources().length);
      },
    });
  }

  received(workerId: number, id: number, metrics: MetricData): void {
    this.#last.set(workerId, metrics);
    this.#pending.get(id)?.();
  }

  ended(workerId: number): void {
    const last = this.#last.get(workerId);
    this.#last.delete(workerId);
    if (last === undefined) return;
    const counted = [this.#ended, last.filter(isCumulative)].filter((part) => part.length > 0);
    // An aggregated registry returns its values at once, not as a promise; its type does not say so.
    this.#ended = aggregate(counted).getMetricsAsArray() as unknown as MetricData;
  }

  /** @returns the text for Prometheus */
  async metrics(): Promise<string> {
    await Promise.all(this.#sources().map((source) => this.#ask(source)));
    const own = (await this.#own.getMetricsAsJSON()) as MetricData;
    return aggregate([own, this.#ended, ...this.#last.values()].filter((part) => part.length > 0)).metrics();
  }

  #ask(source: Source): Promise<void> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const answer = (): void => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve();
      };
      const timer = setTimeout(answer, ANSWER_MS);
      this.#pending.set(id, answer);
      source.ask(id);
    });
  }
}
