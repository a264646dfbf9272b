import type { Growth, SizePair } from './growth.js';
import type { LoadFigure } from './measurement.js';
import type { ReadResult, ReadResults } from './read.js';
import type { StatementComparison } from './statement-comparison.js';
import { memoryRow, percent, type Row, whole } from './table.js';

const sizeOf = ({ bytes }: LoadFigure): string => `${(bytes / 1024).toFixed(1)} KiB`;

const comparedWithLimit = (what: string, figure: LoadFigure, limit: LoadFigure): Row => {
  const writes = figure.writes === undefined ? '' : `, ${whole(figure.writes)} writes/s`;
  return {
    what,
    measured: `${whole(figure.rate)} requests/s of ${sizeOf(figure)}${writes}`,
    p50: figure.p50,
    p99: figure.p99,
    cpu: figure.cpu,
    limit: `${whole(limit.rate)} requests/s`,
    share: figure.rate / limit.rate,
  };
};

const statementCells = ({ service, statements }: StatementComparison): Partial<Row> =>
  statements === undefined
    ? {}
    : {
        statements: `${whole(statements.rate)} pages/s at ${whole(statements.cpu)} µs, p99 ${Math.round(statements.p99)} ms`,
        statementShare: service.rate / statements.rate,
      };

/** @param isTarget whether the targets, which are for PostgreSQL, are checked */
export const readRows = (figures: ReadResults, isTarget: boolean): Row[] => {
  const { operation, repeated, underWrites, zipf, uncached, limit } = figures;
  const { name, target } = operation;
  const targetOf = (kind: 'repeated' | 'uncached', { rate }: LoadFigure): Partial<Row> => {
    const wanted = isTarget ? target?.[kind] : undefined;
    return wanted === undefined
      ? {}
      : { target: { text: `>= ${percent(wanted)}`, isMet: rate / limit.rate >= wanted } };
  };
  return [
    { ...comparedWithLimit(`${name}, repeated`, repeated, limit), ...targetOf('repeated', repeated) },
    ...(underWrites === undefined ? [] : [comparedWithLimit(`${name}, repeated, under writes`, underWrites, limit)]),
    { ...comparedWithLimit(`${name}, Zipf`, zipf.service, limit), ...statementCells(zipf) },
    {
      ...comparedWithLimit(`${name}, uncached`, uncached.service, limit),
      ...statementCells(uncached),
      ...targetOf('uncached', uncached.service),
    },
    {
      what: `${name}, limit`,
      measured: `${whole(limit.rate)} requests/s of ${sizeOf(limit)}`,
      p50: limit.p50,
      p99: limit.p99,
      cpu: limit.cpu,
    },
  ];
};

/** @param isTarget whether the memory after all repeated and Zipf reads is checked against the target */
export const memoryRows = ({ start, uncached, reads }: ReadResult['memory'], isTarget: boolean): Row[] => [
  memoryRow('memory of the service after the start', start, false),
  memoryRow('memory of the service after the uncached reads', uncached, false),
  memoryRow('memory of the service after the reads', reads, isTarget),
];

/** Times as long as a request may take on a network ten times as large. */
const GROWTH = 1.3;

/**
 * The factor by which a request takes longer on a network ten times as large, including the database: the same number of
 * connections is busy on both.
 */
export const growthRows = ({ operation, repeated, uncached }: Growth): Row[] => {
  const row = (kind: 'repeated' | 'uncached', [small, large]: SizePair): Row => {
    const factor = small.rate / large.rate;
    const size = ({ bytes }: LoadFigure): string => (bytes / 1024).toFixed(1);
    return {
      what: `${operation.name}, growth, ${kind}`,
      measured: `x${factor.toFixed(2)}, from ${whole(small.rate)} to ${whole(large.rate)} requests/s of ${size(small)} and ${size(large)} KiB`,
      p50: large.p50,
      p99: large.p99,
      cpu: large.cpu,
      target: { text: `<= x${GROWTH}`, isMet: factor <= GROWTH },
    };
  };
  return [row('repeated', repeated), row('uncached', uncached)];
};
