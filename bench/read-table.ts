import type { Growth } from './network-size-comparison.js';
import type { Figure } from './measurement.js';
import type { ReadAnswer, ReadFigures } from './read.js';
import type { BesideStatements } from './statement-comparison.js';
import { memoryRow, percent, type Row, whole } from './table.js';

const sizeOf = ({ bytes }: Figure): string => `${(bytes / 1024).toFixed(1)} KiB`;

const besideLimit = (what: string, figure: Figure, limit: Figure): Row => {
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

const statementCells = ({ service, statements }: BesideStatements): Partial<Row> =>
  statements === undefined
    ? {}
    : {
        statements: `${whole(statements.rate)} pages/s at ${whole(statements.cpu)} µs, p99 ${Math.round(statements.p99)} ms`,
        statementShare: service.rate / statements.rate,
      };

/** @param isTarget whether the targets, which are for PostgreSQL, are held against the figures */
export const readRows = (figures: ReadFigures, isTarget: boolean): Row[] => {
  const { operation, warm, underWrites, mix, cold, limit } = figures;
  const { name, target } = operation;
  const targetOf = (kind: 'warm' | 'cold', { rate }: Figure): Partial<Row> => {
    const wanted = isTarget ? target?.[kind] : undefined;
    return wanted === undefined
      ? {}
      : { target: { text: `>= ${percent(wanted)}`, isMet: rate / limit.rate >= wanted } };
  };
  return [
    { ...besideLimit(`${name}, warm`, warm, limit), ...targetOf('warm', warm) },
    ...(underWrites === undefined ? [] : [besideLimit(`${name}, warm, under writes`, underWrites, limit)]),
    { ...besideLimit(`${name}, mix`, mix.service, limit), ...statementCells(mix) },
    {
      ...besideLimit(`${name}, cold`, cold.service, limit),
      ...statementCells(cold),
      ...targetOf('cold', cold.service),
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

/** @param isTarget whether the target is held against the memory after all warm and mixed reads */
export const memoryRows = ({ start, cold, reads }: ReadAnswer['memory'], isTarget: boolean): Row[] => [
  memoryRow('memory of the service after the start', start, false),
  memoryRow('memory of the service after the cold reads', cold, false),
  memoryRow('memory of the service after the reads', reads, isTarget),
];

/**
 * How many times as long a request takes as on a network a tenth the size, the database's part included: the same number
 * of connections is busy on both.
 */
export const growthRows = ({ operation, warm, cold }: Growth, isTarget: boolean): Row[] => {
  const row = (kind: 'warm' | 'cold', { whole, tenth }: Growth['warm']): Row => {
    const factor = tenth.rate / whole.rate;
    const most = kind === 'warm' && isTarget ? operation.target?.growth : undefined;
    const size = ({ bytes }: Figure): string => (bytes / 1024).toFixed(1);
    return {
      what: `${operation.name}, growth, ${kind}`,
      measured: `x${factor.toFixed(2)} for ${size(whole)} of ${size(tenth)} KiB`,
      p50: whole.p50,
      p99: whole.p99,
      cpu: whole.cpu,
      ...(most === undefined ? {} : { target: { text: `<= x${most}`, isMet: factor <= most } }),
    };
  };
  return [row('warm', warm), row('cold', cold)];
};
