import { startChild } from './child.js';
import { type Figure, type Generator, loadOnce, subjectOf } from './measurement.js';
import type { ReadInput } from './read.js';
import type { ReadOperation } from './read-operation.js';
import { startService } from './service.js';

/** Both names are measured in every round, each first as often as the other but for one. */
const ROUNDS = 7;
const WARM_UP_SECONDS = 30;
const [NEUTRAL, ECOSYSTEM] = ['/v2/social/', '/v2/farcaster/'];

/** One operation in the ecosystem's names beside itself in neutral ones. */
export interface NamesFigure {
  readonly operation: ReadOperation;
  /** Of the round whose share is in the middle. */
  readonly ecosystem: Figure;
  readonly neutral: Figure;
}

/** Machines tire and recover: only figures of one round are compared. */
export const middleRound = <Round extends Omit<NamesFigure, 'operation'>>(rounds: readonly Round[]): Round => {
  const share = ({ ecosystem, neutral }: Round): number => ecosystem.rate / neutral.rate;
  return [...rounds].sort((a, b) => share(a) - share(b))[Math.floor(rounds.length / 2)] as Round;
};

/**
 * Measures what the ecosystem's names take: the same requests under both paths of one service, in turn, so that both
 * find the same caches and the same machine. Operations with one path are left out.
 */
export async function measureNames(input: ReadInput): Promise<NamesFigure[]> {
  const { target, flags, progress, connections, seconds } = input;
  const operations = input.operations.filter(({ requests }) => requests.warm[0]?.startsWith(NEUTRAL));
  const generator: Generator = startChild('load.ts');
  const service = await startService(target.environment, flags);
  progress.start('names', operations.length * ROUNDS * 2, 'measurements');
  try {
    const figures: NamesFigure[] = [];
    for (const { operation, requests } of operations) {
      const neutral = subjectOf(service, requests.warm);
      const ecosystem = subjectOf(
        service,
        requests.warm.map((path) => path.replace(NEUTRAL, ECOSYSTEM)),
      );
      const load = async (subject: typeof neutral): Promise<Figure> => {
        const figure = await loadOnce(generator, subject, { connections, seconds });
        progress.add(1);
        return figure;
      };
      for (const { port, apiKey, paths } of [neutral, ecosystem]) {
        await generator.ask({ port, apiKey, paths, connections, atMost: WARM_UP_SECONDS });
      }
      const rounds: Omit<NamesFigure, 'operation'>[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const first = await load(round % 2 === 0 ? neutral : ecosystem);
        const second = await load(round % 2 === 0 ? ecosystem : neutral);
        rounds.push(round % 2 === 0 ? { neutral: first, ecosystem: second } : { ecosystem: first, neutral: second });
      }
      figures.push({ operation, ...middleRound(rounds) });
    }
    return figures;
  } finally {
    progress.stop();
    await generator.stop();
    await service.stop();
  }
}
