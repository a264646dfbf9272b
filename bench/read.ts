import { type Child, startChild } from './child.js';
import type { LimitInput } from './limit.js';
import type { LoadAnswer, LoadInput } from './load.js';
import type { Progress } from './progress.js';
import type { ReadOperation } from './read-operation.js';
import type { Requests } from './sample.js';
import { type Service, startService } from './service.js';

/** One server under load. */
export interface Figure {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of a body, on average. */
  readonly bytes: number;
  /** Microseconds of the server's processor time for each request. */
  readonly cpu: number;
}

export interface ReadFigures {
  readonly operation: ReadOperation;
  /** Ids of a working set, all of them asked for before. */
  readonly warm: Figure;
  /** Ids of everything stored, by popularity. */
  readonly mix: Figure;
  /** As `warm`, with no fragment cache. */
  readonly cold: Figure;
  /** `node:http` with the answers of `warm` in memory. */
  readonly limit: Figure;
}

export interface ReadAnswer {
  readonly figures: readonly ReadFigures[];
  /** Resident bytes of the service after all warm and mixed reads. */
  readonly memory: number;
}

/** An operation with what is asked of it. */
export interface Asked {
  readonly operation: ReadOperation;
  readonly requests: Requests;
}

export interface ReadInput {
  readonly operations: readonly Asked[];
  readonly environment: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Of one measurement; there are `ROUNDS` of each. */
  readonly seconds: number;
  readonly flags: readonly string[];
  readonly progress: Progress;
}

/** The median of so many rounds is taken, the service and its limit in turn, so that a disturbance hits both. */
export const ROUNDS = 3;
/** Warming up asks for every id, and gives up waiting after this time. */
const WARM_UP_SECONDS = 60;
/** The service keeps what is asked for again: a page's own query from the first time on, its bytes from the second. */
const WARM_UP_TIMES = 2;

export type Generator = Child<LoadInput, LoadAnswer>;
type Limit = Child<LimitInput, number>;

/** A server that can be loaded. */
interface Subject {
  readonly port: number;
  readonly apiKey: string;
  readonly paths: readonly string[];
  cpuSeconds(): Promise<number>;
}

export const subjectOf = (service: Service, paths: readonly string[]): Subject => ({
  port: service.port,
  apiKey: service.apiKey,
  paths,
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

/** Loads a server for so many seconds. */
export const loadOnce = async (
  generator: Generator,
  { port, apiKey, paths, cpuSeconds }: Subject,
  { connections, seconds }: Pick<ReadInput, 'connections' | 'seconds'>,
): Promise<Figure> => {
  const before = await cpuSeconds();
  const answer = await generator.ask({ port, apiKey, paths, connections, seconds });
  return figureOf(answer, (await cpuSeconds()) - before);
};

const median = (figures: readonly Figure[]): Figure =>
  [...figures].sort((a, b) => a.rate - b.rate)[Math.floor(figures.length / 2)] as Figure;

/** Loads the servers of one operation, and only them. */
export class Measurement {
  readonly #generator: Generator;
  readonly #input: ReadInput;

  constructor(generator: Generator, input: ReadInput) {
    this.#generator = generator;
    this.#input = input;
  }

  async warmUp({ port, apiKey, paths }: Subject, times = WARM_UP_TIMES): Promise<void> {
    const { connections } = this.#input;
    for (let time = 0; time < times; time++) {
      await this.#generator.ask({ port, apiKey, paths, connections, atMost: WARM_UP_SECONDS });
    }
  }

  /** @returns the median of each subject, in their order */
  async run(subjects: readonly Subject[]): Promise<Figure[]> {
    const figures: Figure[][] = subjects.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, subject] of subjects.entries()) {
        figures[index]?.push(await this.#once(subject));
        this.#input.progress.add(1);
      }
    }
    return figures.map(median);
  }

  #once(subject: Subject): Promise<Figure> {
    return loadOnce(this.#generator, subject, this.#input);
  }
}

interface WarmAnswer {
  readonly figures: ReadonlyMap<string, Omit<ReadFigures, 'cold'>>;
  readonly memory: number;
}

/** With the default cache: every operation warm, mixed, and its limit. */
async function measureWarm(input: ReadInput, measurement: Measurement): Promise<WarmAnswer> {
  const service = await startService(input.environment, input.flags);
  const limit: Limit = startChild('limit.ts');
  const figures = new Map<string, Omit<ReadFigures, 'cold'>>();
  try {
    for (const { operation, requests } of input.operations) {
      const { port, apiKey } = service;
      const warm = subjectOf(service, requests.warm);
      const limitPort = await limit.ask({ copy: { port, apiKey, paths: requests.warm } });
      const copy = { port: limitPort, apiKey, paths: requests.warm, cpuSeconds: () => limit.ask('cpu') };
      await measurement.warmUp(warm);
      await measurement.warmUp(copy, 1);
      const [warmFigure, limitFigure] = (await measurement.run([warm, copy])) as [Figure, Figure];
      const mix = subjectOf(service, requests.mix);
      await measurement.warmUp(mix, 1);
      const [mixFigure] = (await measurement.run([mix])) as [Figure];
      figures.set(operation.id, { operation, warm: warmFigure, mix: mixFigure, limit: limitFigure });
    }
    return { figures, memory: (await service.usage()).bytes };
  } finally {
    await limit.stop();
    await service.stop();
  }
}

/** With no cache of entities and fragments. */
async function measureCold(input: ReadInput, measurement: Measurement): Promise<Map<string, Figure>> {
  const service = await startService({ ...input.environment, FRAGMENT_CACHE_MB: '0' }, input.flags);
  const figures = new Map<string, Figure>();
  try {
    for (const { operation, requests } of input.operations) {
      const subject = subjectOf(service, requests.warm);
      // So that the code is compiled and the database has the pages in its own memory.
      await measurement.warmUp(subject, 1);
      const [figure] = (await measurement.run([subject])) as [Figure];
      figures.set(operation.id, figure);
    }
    return figures;
  } finally {
    await service.stop();
  }
}

/** Measures every operation beside its limit, in the same minutes on the same machine. */
export async function measureReads(input: ReadInput): Promise<ReadAnswer> {
  const generator: Generator = startChild('load.ts');
  const measurement = new Measurement(generator, input);
  input.progress.start('reads', input.operations.length * ROUNDS * 4, 'measurements');
  try {
    const { figures, memory } = await measureWarm(input, measurement);
    const cold = await measureCold(input, measurement);
    return {
      figures: [...figures.values()].map((one) => ({ ...one, cold: cold.get(one.operation.id) as Figure })),
      memory,
    };
  } finally {
    input.progress.stop();
    await generator.stop();
  }
}
