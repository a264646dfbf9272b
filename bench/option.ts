import { parseArgs } from 'node:util';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';

export const USAGE = `npm run bench -- [options]     BENCH_DATABASE_URL=postgres://... for PostgreSQL, else embedded
  --scale <n>        size of the network; 1 is 50,000 accounts and 500,000 casts (default 1)
  --only <parts>     ingest, hub, rpc, read, first, names, metering, traces, write, host, events, metrics, overload, workers, size, compression, onchain, rest, or reads by operation id, with commas between (default all)
  --seconds <n>      of one measurement of a read, of which there are up to 21 for each (default 3)
  --most <n>         seconds after which an ingest is stopped and counted as far as it came (default 1200)
  --connections <n>  that read at once (default 32)
  --growth           instead of the reads: copy the network ten times as large, and compare what they take on both; a server only
  --keep             leave the database, so that a later run with --only read needs no ingest
  --dist <checkout>  run the service from the build of another checkout
  --pair <checkout>  only compare reads (with --only ingest or first: the ingest, first pages) of another checkout and of this one (or of --dist), in turn; a server only
  --compare          fail if a share of a limit fell by more than a tenth against the table in bench/RESULTS.md
  --profile <dir>    write processor profiles of the ingest and of the service
  --write            put the table into bench/RESULTS.md`;

const PARTS: readonly string[] = [
  'ingest',
  'hub',
  'rpc',
  'read',
  'first',
  'names',
  'metering',
  'traces',
  'write',
  'host',
  'events',
  'metrics',
  'size',
  'compression',
  'overload',
  'workers',
  'onchain',
  'rest',
];

/** Command-line options. */
export interface Options {
  readonly scale: number;
  readonly isIngest: boolean;
  readonly isHub: boolean;
  readonly isRpc: boolean;
  readonly operations: readonly ReadOperation[];
  readonly isFirst: boolean;
  readonly isNames: boolean;
  readonly isMetering: boolean;
  readonly isTraces: boolean;
  readonly isWrite: boolean;
  readonly isHost: boolean;
  readonly isEvents: boolean;
  readonly isMetrics: boolean;
  readonly isSize: boolean;
  readonly isCompression: boolean;
  readonly isOverload: boolean;
  readonly isWorkers: boolean;
  readonly isOnchain: boolean;
  readonly isRest: boolean;
  readonly seconds: number;
  readonly most: number;
  readonly connections: number;
  readonly growth: boolean;
  readonly keep: boolean;
  /** Folder of the checkout whose build is measured; undefined: this one. */
  readonly dist: string | undefined;
  /** Folder of the checkout whose reads are compared with those of `dist`. */
  readonly pair: string | undefined;
  readonly flags: readonly string[];
  readonly write: boolean;
  readonly compare: boolean;
}

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${text}`);
  return value;
};

/** @returns undefined if help was requested. @throws Error with a message for the user */
export const readOptions = (): Options | undefined => {
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: '1' },
      only: { type: 'string' },
      seconds: { type: 'string', default: '3' },
      most: { type: 'string', default: '1200' },
      connections: { type: 'string', default: '32' },
      growth: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      dist: { type: 'string' },
      pair: { type: 'string' },
      profile: { type: 'string' },
      write: { type: 'boolean', default: false },
      compare: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const parts = values.only?.split(',') ?? PARTS;
  const known = [...PARTS, ...READ_OPERATIONS.map(({ id }) => id)];
  const unknown = parts.find((part) => !known.includes(part));
  if (values.pair !== undefined && (values.write || values.compare))
    throw new Error('--write and --compare take no table of --pair');
  if (unknown !== undefined) throw new Error(`--only knows ${known.join(', ')}, not ${unknown}`);
  return {
    scale: positive('scale', values.scale),
    isIngest: parts.includes('ingest'),
    isHub: parts.includes('hub'),
    isRpc: parts.includes('rpc'),
    operations: READ_OPERATIONS.filter(({ id }) => parts.includes('read') || parts.includes(id)),
    isFirst: parts.includes('first'),
    isNames: parts.includes('names'),
    isMetering: parts.includes('metering'),
    isTraces: parts.includes('traces'),
    isWrite: parts.includes('write'),
    isHost: parts.includes('host'),
    isEvents: parts.includes('events'),
    isMetrics: parts.includes('metrics'),
    isSize: parts.includes('size'),
    isCompression: parts.includes('compression'),
    isOverload: parts.includes('overload'),
    isWorkers: parts.includes('workers'),
    isOnchain: parts.includes('onchain'),
    isRest: parts.includes('rest'),
    seconds: positive('seconds', values.seconds),
    most: positive('most', values.most),
    connections: positive('connections', values.connections),
    growth: values.growth,
    keep: values.keep,
    dist: values.dist,
    pair: values.pair,
    flags: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
    write: values.write,
    compare: values.compare,
  };
};
