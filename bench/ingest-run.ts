import type { Comparison } from './build-pair.js';
import { startChild } from './child.js';
import type { IngestInput, IngestProgress, IngestResult } from './ingest.js';
import type { Options } from './option.js';
import type { Progress } from './progress.js';
import { median } from './read-pair-table.js';
import { renderCells, whole } from './table.js';
import type { Target } from './target.js';

/** Rounds of both builds; they take turns at being first. */
const ROUNDS = 3;

/**
 * Creates the database again and loads the network into it.
 * @param checkout whose build does so
 */
export const ingestNetwork = async (
  { scale, most, flags }: Pick<Options, 'scale' | 'most' | 'flags'>,
  target: Target,
  progress: Progress,
  checkout?: string,
): Promise<IngestResult> => {
  await target.create();
  const child = startChild<IngestInput, IngestResult, IngestProgress>('ingest.ts', flags, checkout);
  let current = '';
  const input = { scale, environment: target.environment, maxSeconds: most };
  const answer = await child.ask(input, ({ phase, done, total, rate }) => {
    if (phase !== current) progress.start(`ingest of ${phase}`, total, 'items');
    current = phase;
    progress.set(done, rate);
  });
  progress.stop();
  await child.stop();
  for (const [reason, count] of Object.entries(answer.refused)) console.error(`${count} items were refused: ${reason}`);
  return answer;
};

const rateOf = ({ messages, seconds }: IngestResult): number => messages / seconds;
const cpuOf = ({ messages, cpuSeconds }: IngestResult): number => (1e6 * cpuSeconds) / messages;

/** Loads a network with two builds in turn, three times each. @returns a table with each round and the median ratios */
export const compareIngests = async (
  options: Pick<Options, 'scale' | 'most' | 'flags'>,
  checkouts: Comparison<string>,
  target: Target,
  progress: Progress,
): Promise<string> => {
  const rounds: Comparison<IngestResult>[] = [];
  while (rounds.length < ROUNDS) {
    const sides = rounds.length % 2 === 0 ? (['old', 'new'] as const) : (['new', 'old'] as const);
    const results: Partial<Record<'old' | 'new', IngestResult>> = {};
    for (const side of sides) results[side] = await ingestNetwork(options, target, progress, checkouts[side]);
    rounds.push(results as Comparison<IngestResult>);
  }
  const line = (what: string, of: (result: IngestResult) => number, unit: string): string[] => [
    what,
    ...(['old', 'new'] as const).map((side) => `${rounds.map((round) => whole(of(round[side]))).join(', ')} ${unit}`),
    `x${median(rounds.map((round) => of(round.new) / of(round.old))).toFixed(2)}`,
  ];
  return renderCells(
    ['What', 'Old, three rounds', 'New, three rounds', 'New/old'],
    [
      line('messages a second', rateOf, 'messages/s'),
      line('processor time of the process for each message', cpuOf, 'µs'),
      line('peak memory of the process', ({ peakBytes }) => peakBytes / 1e6, 'MB'),
    ],
  );
};
