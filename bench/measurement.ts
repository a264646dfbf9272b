import type { Child } from './child.js';
import type { LoadInput, LoadResult } from './load.js';
import type { Progress } from './progress.js';
import type { Service } from './service.js';

/** One server under load. */
export interface LoadFigure {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of a body, on average; 0 where no bodies are sent. */
  readonly bytes: number;
  /** Microseconds of processor time for each request: the server's, or the client's if the server is PostgreSQL. */
  readonly cpu: number;
  /** Messages a second written at the same time; absent without writes. */
  readonly writes?: number;
}

/** A server under load, and its position in its requests. */
export interface Subject {
  readonly port: number;
  readonly apiKey: string;
  readonly paths: readonly string[];
  /** Index of the next load's first path, so that short loads do not repeat the same few pages. */
  next: number;
  /** Processor time so far. */
  cpuSeconds(): Promise<number>;
}

/** One measurement. */
export type Measure = () => Promise<LoadFigure>;

export type Generator = Child<LoadInput, LoadResult>;

export interface LoadOptions {
  readonly connections: number;
  /** Seconds of one measurement; there are `ROUNDS` of each. */
  readonly seconds: number;
  readonly progress: Progress;
}

/** Rounds in which the servers take turns, so that a disturbance affects all of them; the median is reported. */
export const ROUNDS = 3;
/** Time limit of the warm-up. */
const WARM_UP_SECONDS = 60;
/** The service caches from the second request on: lists at the first request, responses at the second. */
const WARM_UP_TIMES = 2;

export const subjectOf = (service: Service, paths: readonly string[]): Subject => ({
  port: service.port,
  apiKey: service.apiKey,
  paths,
  next: 0,
  cpuSeconds: async () => (await service.usage()).cpuSeconds,
});

/** @param cpuSeconds processor time of the server for these requests */
export const resultOf = (answer: LoadResult, cpuSeconds: number): LoadFigure => ({
  rate: answer.requests / answer.seconds,
  p50: answer.p50,
  p99: answer.p99,
  bytes: answer.bytes / answer.requests,
  cpu: (1e6 * cpuSeconds) / answer.requests,
});

/** Loads a server, continuing where its last load stopped. */
export const loadOnce = async (
  generator: Generator,
  subject: Subject,
  { connections, seconds }: Pick<LoadOptions, 'connections' | 'seconds'>,
): Promise<LoadFigure> => {
  const { port, apiKey, paths, next } = subject;
  const before = await subject.cpuSeconds();
  const answer = await generator.ask({ port, apiKey, paths, from: next, connections, seconds });
  subject.next = answer.next;
  return resultOf(answer, (await subject.cpuSeconds()) - before);
};

const median = (figures: readonly LoadFigure[]): LoadFigure =>
  [...figures].sort((a, b) => a.rate - b.rate)[Math.floor(figures.length / 2)] as LoadFigure;

/** Loads the servers of one operation, and only them. */
export class Measurement {
  readonly #generator: Generator;
  readonly #options: LoadOptions;

  constructor(generator: Generator, options: LoadOptions) {
    this.#generator = generator;
    this.#options = options;
  }

  /** Requests every path several times, within 60 seconds; measurements continue where that stopped. */
  async warmUp(subject: Subject, times = WARM_UP_TIMES): Promise<void> {
    const { port, apiKey, paths, next } = subject;
    const { connections } = this.#options;
    const answer = await this.#generator.ask({
      port,
      apiKey,
      paths,
      from: next,
      connections,
      times,
      atMost: WARM_UP_SECONDS,
    });
    subject.next = answer.next;
  }

  /** @param seconds if different from the other measurements */
  of(subject: Subject, seconds = this.#options.seconds): Measure {
    return () => loadOnce(this.#generator, subject, { ...this.#options, seconds });
  }

  /** @returns the median of each measurement, in order */
  async run(measures: readonly Measure[]): Promise<LoadFigure[]> {
    return (await this.rounds(measures, ROUNDS)).map(median);
  }

  /** @returns the results of every round for each measurement, in order */
  async rounds(measures: readonly Measure[], count: number): Promise<LoadFigure[][]> {
    const figures: LoadFigure[][] = measures.map(() => []);
    for (let round = 0; round < count; round++) {
      for (const [index, measure] of measures.entries()) {
        figures[index]?.push(await measure());
        this.#options.progress.add(1);
      }
    }
    return figures;
  }
}
