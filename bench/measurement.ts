import type { Child } from './child.js';
import type { LoadAnswer, LoadInput } from './load.js';
import type { Progress } from './progress.js';
import type { Service } from './service.js';

/** One server under load. */
export interface Figure {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of a body, on average; 0 where no bodies are sent. */
  readonly bytes: number;
  /** Microseconds of processor time for each request: the server's, or the client's where the server is PostgreSQL. */
  readonly cpu: number;
  /** Messages a second that were written meanwhile; absent where nobody wrote. */
  readonly writes?: number;
}

/** A server that can be loaded, and how far through its requests it is. */
export interface Subject {
  readonly port: number;
  readonly apiKey: string;
  readonly paths: readonly string[];
  /** Index of the path that the next load begins with: a short load must not ask for the same few pages as the last. */
  next: number;
  /** Processor time so far. */
  cpuSeconds(): Promise<number>;
}

/** One measurement of so many seconds. */
export type Measure = () => Promise<Figure>;

export type Generator = Child<LoadInput, LoadAnswer>;

/** How loads are made. */
export interface LoadOptions {
  readonly connections: number;
  /** Of one measurement; there are `ROUNDS` of each. */
  readonly seconds: number;
  readonly progress: Progress;
}

/** The median of so many rounds is taken, the servers in turn, so that a disturbance hits all of them. */
export const ROUNDS = 3;
/** Warming up ends after this time, wherever it is. */
const WARM_UP_SECONDS = 60;
/** The service caches what is asked for again: a page's own query from the first time on, its bytes from the second. */
const WARM_UP_TIMES = 2;

export const subjectOf = (service: Service, paths: readonly string[]): Subject => ({
  port: service.port,
  apiKey: service.apiKey,
  paths,
  next: 0,
  cpuSeconds: async () => (await service.usage()).cpuSeconds,
});

/** @param cpuSeconds processor time that the server took for the answer's requests */
export const figureOf = (answer: LoadAnswer, cpuSeconds: number): Figure => ({
  rate: answer.requests / answer.seconds,
  p50: answer.p50,
  p99: answer.p99,
  bytes: answer.bytes / answer.requests,
  cpu: (1e6 * cpuSeconds) / answer.requests,
});

/** Loads a server for so many seconds, going on where the last load of it stopped. */
export const loadOnce = async (
  generator: Generator,
  subject: Subject,
  { connections, seconds }: Pick<LoadOptions, 'connections' | 'seconds'>,
): Promise<Figure> => {
  const { port, apiKey, paths, next } = subject;
  const before = await subject.cpuSeconds();
  const answer = await generator.ask({ port, apiKey, paths, from: next, connections, seconds });
  subject.next = answer.next;
  return figureOf(answer, (await subject.cpuSeconds()) - before);
};

const median = (figures: readonly Figure[]): Figure =>
  [...figures].sort((a, b) => a.rate - b.rate)[Math.floor(figures.length / 2)] as Figure;

/** Loads the servers of one operation, and only them. */
export class Measurement {
  readonly #generator: Generator;
  readonly #options: LoadOptions;

  constructor(generator: Generator, options: LoadOptions) {
    this.#generator = generator;
    this.#options = options;
  }

  /** Requests every path so many times, in 60 seconds at most; measurements go on where that stopped. */
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

  /** @param seconds other than those of all measurements */
  of(subject: Subject, seconds = this.#options.seconds): Measure {
    return () => loadOnce(this.#generator, subject, { ...this.#options, seconds });
  }

  /** @returns the median of each, in their order */
  async run(measures: readonly Measure[]): Promise<Figure[]> {
    return (await this.rounds(measures, ROUNDS)).map(median);
  }

  /** @returns what each measured in every round, in their order */
  async rounds(measures: readonly Measure[], count: number): Promise<Figure[][]> {
    const figures: Figure[][] = measures.map(() => []);
    for (let round = 0; round < count; round++) {
      for (const [index, measure] of measures.entries()) {
        figures[index]?.push(await measure());
        this.#options.progress.add(1);
      }
    }
    return figures;
  }
}
