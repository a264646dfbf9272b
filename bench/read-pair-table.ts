import type { Figure } from './measurement.js';
import type { OldAndNew, ReadPair, ReadPairAnswer } from './read-pair.js';
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
const MEMORY = { start: 'after the start', cold: 'after the cold reads', reads: 'after the warm and mixed reads' };

/** Of an even number the mean of the two in the middle. */
const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
};

/** Machines tire and recover: only figures of one round are divided, and the middle of these ratios counts. */
const ratio = (rounds: ReadPair['rounds'], of: (figure: Figure) => number): string =>
  `x${median(rounds.map((round) => of(round.new) / of(round.old))).toFixed(2)}`;

/** @returns how many messages a second both builds stored meanwhile, or nothing */
const writesOf = (rounds: ReadPair['rounds']): string => {
  if (rounds[0]?.old.writes === undefined) return '';
  const middle = (name: keyof OldAndNew<Figure>): string =>
    whole(median(rounds.map((round) => round[name].writes ?? 0)));
  return ` (${middle('old')} and ${middle('new')} a second)`;
};

const pairCells = ({ what, rounds }: ReadPair): string[] => {
  const side = (name: keyof OldAndNew<Figure>): string[] => {
    const middle = (of: (figure: Figure) => number): number => median(rounds.map((round) => of(round[name])));
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

const memoryCells = (when: string, { old, new: fresh }: OldAndNew<number>): string[] => {
  const size = (bytes: number): string => `${whole(bytes / 1e6)} MB`;
  return [`memory ${when}`, size(old), '', '', size(fresh), '', '', `x${(fresh / old).toFixed(2)}`, ''];
};

/** @returns a Markdown table with the medians of both builds and, of each round's ratios, the one in the middle */
export const renderReadPairs = ({ pairs, memory }: ReadPairAnswer): string =>
  renderCells(HEADINGS, [
    ...pairs.map(pairCells),
    ...(['start', 'cold', 'reads'] as const).map((when) => memoryCells(MEMORY[when], memory[when])),
  ]);
