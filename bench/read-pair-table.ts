import type { Comparison } from './build-pair.js';
import type { LoadFigure } from './measurement.js';
import type { ReadPair, ReadPairResult } from './read-pair.js';
import { milliseconds, renderCells, whole } from './table.js';

const HEADINGS = [
  'What',
  'Old requests/s',
  'Old CPU µs',
  'Old p99 ms',
  'New requests/s',
  'New CPU µs',
  'New p99 ms',
  'New/old rate',
  'New/old CPU',
];
const MEMORY = {
  start: 'after the start',
  uncached: 'after the uncached reads',
  reads: 'after the repeated and Zipf reads',
};

/** @returns the median; for an even number of values the mean of the middle two */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
};

/** The median of the ratios within each round, because a machine's speed changes over time. */
const ratio = (rounds: ReadPair['rounds'], of: (figure: LoadFigure) => number): string =>
  `x${median(rounds.map((round) => of(round.new) / of(round.old))).toFixed(2)}`;

/** @returns how many messages a second both builds stored at the same time, or an empty text */
const writesOf = (rounds: ReadPair['rounds']): string => {
  if (rounds[0]?.old.writes === undefined) return '';
  const middle = (name: keyof Comparison<LoadFigure>): string =>
    whole(median(rounds.map((round) => round[name].writes ?? 0)));
  return ` (${middle('old')} and ${middle('new')} a second)`;
};

const pairCells = ({ what, rounds }: ReadPair): string[] => {
  const side = (name: keyof Comparison<LoadFigure>): string[] => {
    const middle = (of: (figure: LoadFigure) => number): number => median(rounds.map((round) => of(round[name])));
    return [whole(middle(({ rate }) => rate)), whole(middle(({ cpu }) => cpu)), milliseconds(middle(({ p99 }) => p99))];
  };
  return [
    `${what}${writesOf(rounds)}`,
    ...side('old'),
    ...side('new'),
    ratio(rounds, ({ rate }) => rate),
    ratio(rounds, ({ cpu }) => cpu),
  ];
};

const memoryCells = (when: string, { old, new: fresh }: Comparison<number>): string[] => {
  const size = (bytes: number): string => `${whole(bytes / 1e6)} MB`;
  return [`memory ${when}`, size(old), '', '', size(fresh), '', '', `x${(fresh / old).toFixed(2)}`, ''];
};

/** @returns a Markdown table with the medians of both builds and the median ratio of the rounds */
export const renderReadPairs = ({ pairs, memory }: ReadPairResult): string =>
  renderCells(HEADINGS, [
    ...pairs.map(pairCells),
    ...(['start', 'uncached', 'reads'] as const).map((when) => memoryCells(MEMORY[when], memory[when])),
  ]);
