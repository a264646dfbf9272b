import { type Generator, type LoadFigure, Measurement, subjectOf } from './measurement.js';
import type { ReadInput } from './read.js';
import { startService } from './service.js';

type Environment = Readonly<Record<string, string>>;

/**
 * Asks two services the same requests. Both run and are loaded in turn, so that a disturbance affects both.
 * @param environments of the first and the second service
 * @param warmUpTimes how often every request is sent before
 * @returns the figures of both for each operation, in order
 */
export const measureInTurn = async (
  environments: readonly [Environment, Environment],
  { flags, operations, ...options }: Pick<ReadInput, 'flags' | 'operations' | 'connections' | 'seconds' | 'progress'>,
  generator: Generator,
  warmUpTimes?: number,
): Promise<[LoadFigure, LoadFigure][]> => {
  const measurement = new Measurement(generator, options);
  const first = await startService(environments[0], flags);
  try {
    const second = await startService(environments[1], flags);
    try {
      const pairs: [LoadFigure, LoadFigure][] = [];
      for (const { requests } of operations) {
        const subjects = [first, second].map((service) => subjectOf(service, requests.repeated));
        for (const subject of subjects) await measurement.warmUp(subject, warmUpTimes);
        const figures = await measurement.run(subjects.map((subject) => measurement.of(subject)));
        pairs.push(figures as [LoadFigure, LoadFigure]);
      }
      return pairs;
    } finally {
      await second.stop();
    }
  } finally {
    await first.stop();
  }
};
