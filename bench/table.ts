import type { NamesResult } from './dialect.js';
import type { HostResult } from './host-event.js';
import type { IngestResult } from './ingest.js';
import type { LimitResult } from './ingest-limit.js';
import type { MeteringResult } from './metering.js';
import type { PairedResult } from './service-pair.js';
import type { WriteResult } from './write.js';

/** One line of the table; absent members stay empty. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** Microseconds of processor time of the measured process for each message or request. */
  readonly cpu?: number;
  readonly limit?: string;
  /** Share of the limit. */
  readonly share?: number;
  /** Rate that the database alone allows. */
  readonly statements?: string;
  /** Share of that rate. */
  readonly statementShare?: number;
  readonly target?: { readonly text: string; readonly isMet: boolean };
}

const INGEST_TARGET = 15_000;
/** Minimum share of the rate without metering and limits. */
const METERING_TARGET = 0.95;
/** Minimum share of the rate in neutral names. */
const NAMES_TARGET = 0.95;
const MEMORY_TARGET = 500_000_000;

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const milliseconds = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
/** Rounded down, so that a missed target is visible. */
export const percent = (share: number): string =>
  share < 0.1 ? `${(Math.floor(1000 * share) / 10).toFixed(1)}%` : `${Math.floor(100 * share)}%`;

/** @param isTarget whether the targets, which are for PostgreSQL, are checked */
export const ingestRows = (ingest: IngestResult, limit: LimitResult, isTarget: boolean): Row[] => {
  const rate = ingest.messages / ingest.seconds;
  const isMet = rate >= INGEST_TARGET;
  const beside = (name: string, unit: string, value: number): Row => ({
    what: `ingest beside ${name}`,
    measured: `${whole(rate)} messages/s`,
    limit: `${whole(value)} ${unit}/s`,
    share: rate / value,
  });
  const { how, unindexed, indexed } = limit.rows;
  return [
    {
      what: `ingest, end to end${ingest.isWhole ? '' : ' (stopped early)'}`,
      measured: `${whole(rate)} messages/s`,
      p50: ingest.batchP50,
      p99: ingest.batchP99,
      cpu: (1e6 * ingest.cpuSeconds) / ingest.messages,
      ...(isTarget ? { target: { text: `>= ${whole(INGEST_TARGET)}/s`, isMet } } : {}),
    },
    beside(`verification alone, ${limit.threads} threads`, 'messages', limit.verified),
    beside(`${how} into a table without indexes`, 'rows', unindexed),
    beside(`${how} into a table with its indexes`, 'rows', indexed),
    memoryRow('peak memory of the ingesting process', ingest.peakBytes, false),
  ];
};

/** Compares with the same request in neutral names. */
export const namesRows = (figures: readonly NamesResult[]): Row[] =>
  figures.map(({ operation, ecosystem, neutral }) => {
    const share = ecosystem.rate / neutral.rate;
    return {
      what: `${operation.name}, in the ecosystem's names`,
      measured: `${whole(ecosystem.rate)} requests/s`,
      p50: ecosystem.p50,
      p99: ecosystem.p99,
      cpu: ecosystem.cpu,
      limit: `${whole(neutral.rate)} requests/s at ${whole(neutral.cpu)} µs`,
      share,
      target: { text: `>= ${percent(NAMES_TARGET)}`, isMet: share >= NAMES_TARGET },
    };
  });

/** Compares with the same read with `CASTELLAN_QUOTA_MODE=off` and no rate limit. */
export const meteringRows = (figures: readonly MeteringResult[]): Row[] =>
  figures.map(({ operation, keys, mode, figure, without }) => {
    const share = figure.rate / without.rate;
    const beside = ({ databaseCpu }: PairedResult): string =>
      databaseCpu === undefined ? '' : `, database ${databaseCpu.toFixed(1)} µs`;
    return {
      what: `${operation.name}, metered: ${mode}, ${keys}`,
      measured: `${whole(figure.rate)} requests/s${beside(figure)}`,
      p50: figure.p50,
      p99: figure.p99,
      cpu: figure.cpu,
      limit: `${whole(without.rate)} requests/s at ${whole(without.cpu)} µs${beside(without)}`,
      share,
      target: { text: `>= ${percent(METERING_TARGET)}`, isMet: share >= METERING_TARGET },
    };
  });

export const writeRows = (figures: readonly WriteResult[]): Row[] =>
  figures.map(({ name, rate, p50, p99, cpu }) => ({
    what: name,
    measured: `${whole(rate)} requests/s`,
    p50,
    p99,
    cpu,
  }));

export const hostRow = (figure: HostResult): Row => ({
  what: figure.name,
  measured: `${whole(figure.rate)} events/s`,
  p50: figure.p50,
  p99: figure.p99,
  cpu: figure.cpu,
  limit: `${whole(figure.limit)} requests/s`,
  share: figure.rate / figure.limit,
});

export const memoryRow = (what: string, bytes: number, isTarget: boolean): Row => ({
  what,
  measured: `${whole(bytes / 1e6)} MB`,
  ...(isTarget ? { target: { text: `< ${whole(MEMORY_TARGET / 1e6)} MB`, isMet: bytes < MEMORY_TARGET } } : {}),
});

const HEADINGS = [
  'What',
  'Measured',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'Limit',
  'Of the limit',
  'Statements alone',
  'Of them',
  'Target',
  'Result',
];

const cells = ({ what, measured, p50, p99, cpu, limit, share, statements, statementShare, target }: Row): string[] => [
  what,
  measured,
  p50 === undefined ? '' : milliseconds(p50),
  p99 === undefined ? '' : milliseconds(p99),
  cpu === undefined ? '' : whole(cpu),
  limit ?? '',
  share === undefined ? '' : percent(share),
  statements ?? '',
  statementShare === undefined ? '' : percent(statementShare),
  target?.text ?? '',
  target === undefined ? '' : target.isMet ? 'ok' : 'missed',
];

/** @returns a Markdown table with aligned columns */
export const renderCells = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (texts: readonly string[]): string =>
    `| ${texts.map((text, column) => text.padEnd(widths[column] as number)).join(' | ')} |`;
  return [line(headings), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
};

/** @returns a Markdown table without empty columns */
export const renderTable = (rows: readonly Row[]): string => {
  const all = rows.map(cells);
  const isFilled = HEADINGS.map((_, column) => all.some((row) => row[column] !== ''));
  const filled = (texts: readonly string[]): string[] => texts.filter((_, column) => isFilled[column]);
  return renderCells(filled(HEADINGS), all.map(filled));
};
