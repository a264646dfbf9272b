import { startChild } from './child.js';
import { type Generator, type LoadFigure, loadOnce, subjectOf } from './measurement.js';
import type { ReadInput } from './read.js';
import type { ReadOperation } from './read-operation.js';
import { startService } from './service.js';

/** Rounds of both dialects; they take turns at being first. */
const ROUNDS = 7;
const WARM_UP_SECONDS = 30;
const [NEUTRAL, ECOSYSTEM] = ['/v2/social/', '/v2/farcaster/'];

/** One operation in both dialects. */
export interface NamesResult {
  readonly operation: ReadOperation;
  /** Results of the median round. */
  readonly ecosystem: LoadFigure;
  readonly neutral: LoadFigure;
}

/** Only results of one round are compared, because a machine's speed changes over time. */
export const middleRound = <Round extends Omit<NamesResult, 'operation'>>(rounds: readonly Round[]): Round => {
  const share = ({ ecosystem, neutral }: Round): number => ecosystem.rate / neutral.rate;
  return [...rounds].sort((a, b) => share(a) - share(b))[Math.floor(rounds.length / 2)] as Round;
};

/**
 * Measures the cost of the ecosystem's names: the same requests under both paths of one service, in turn, so that both
 * use the same caches and the same machine. Operations with one path are left out.
 */
export const measureNames = async (input: ReadInput): Promise<NamesResult[]> => {
  const { target, flags, progress, connections, seconds } = input;
  const operations = input.operations.filter(({ requests }) => requests.repeated[0]?.startsWith(NEUTRAL));
  const generator: Generator = startChild('load.ts');
  const service = await startService(target.environment, flags);
  progress.start('names', operations.length * ROUNDS * 2, 'measurements');
  try {
    const figures: NamesResult[] = [];
    for (const { operation, requests } of operations) {
      const neutral = subjectOf(service, requests.repeated);
      const ecosystem = subjectOf(
        service,
        requests.repeated.map((path) => path.replace(NEUTRAL, ECOSYSTEM)),
      );
      const load = async (subject: typeof neutral): Promise<LoadFigure> => {
        const figure = await loadOnce(generator, subject, { connections, seconds });
        progress.add(1);
        return figure;
      };
      for (const { port, apiKey, paths } of [neutral, ecosystem]) {
        await generator.ask({ port, apiKey, paths, connections, atMost: WARM_UP_SECONDS });
      }
      const rounds: Omit<NamesResult, 'operation'>[] = [];
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
};
