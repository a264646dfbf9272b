import { parseArgs } from 'node:util';
import { startChild } from './child.js';
import type { IngestAnswer, IngestInput, IngestProgress } from './ingest.js';
import type { LimitAnswer, LimitInput } from './ingest-limit.js';
import { openNetwork } from './network.js';
import { Progress } from './progress.js';
import { measureReads, type ReadAnswer } from './read.js';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';
import { describeRun, writeResults } from './result.js';
import { selectRequests } from './sample.js';
import { ingestRows, memoryRow, type Row, readRows, renderTable } from './table.js';
import { openTarget, type Target, withDatabase } from './target.js';

const USAGE = `npm run bench -- [options]     BENCH_DATABASE_URL=postgres://... for PostgreSQL, else embedded
  --scale <n>        size of the network; 1 is 50,000 accounts and 500,000 casts (default 1)
  --only <parts>     ingest, read, or operations by id, with commas between (default all)
  --seconds <n>      of one measurement of a read, of which there are twelve for each (default 3)
  --most <n>         seconds after which an ingest is stopped and counted as far as it came (default 1200)
  --connections <n>  that read at once (default 32)
  --keep             leave the database, so that a later run with --only read needs no ingest
  --profile <dir>    write processor profiles of the ingest and of the service
  --write            put the table into bench/RESULTS.md`;

interface Options {
  readonly scale: number;
  readonly isIngest: boolean;
  readonly operations: readonly ReadOperation[];
  readonly seconds: number;
  readonly most: number;
  readonly connections: number;
  readonly keep: boolean;
  readonly flags: readonly string[];
  readonly write: boolean;
}

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${text}`);
  return value;
};

/** @throws Error with a message for the caller */
function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: '1' },
      only: { type: 'string' },
      seconds: { type: 'string', default: '3' },
      most: { type: 'string', default: '1200' },
      connections: { type: 'string', default: '32' },
      keep: { type: 'boolean', default: false },
      profile: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const parts = values.only?.split(',') ?? ['ingest', 'read'];
  const known = ['ingest', 'read', ...READ_OPERATIONS.map(({ id }) => id)];
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown !== undefined) throw new Error(`--only knows ${known.join(', ')}, not ${unknown}`);
  return {
    scale: positive('scale', values.scale),
    isIngest: parts.includes('ingest'),
    operations: READ_OPERATIONS.filter(({ id }) => parts.includes('read') || parts.includes(id)),
    seconds: positive('seconds', values.seconds),
    most: positive('most', values.most),
    connections: positive('connections', values.connections),
    keep: values.keep,
    flags: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
    write: values.write,
  };
}

async function ingest(options: Options, target: Target, progress: Progress): Promise<IngestAnswer> {
  await target.create();
  const child = startChild<IngestInput, IngestAnswer, IngestProgress>('ingest.ts', options.flags);
  const { scale, most } = options;
  let current = '';
  const input = { scale, environment: target.environment, mostSeconds: most };
  const answer = await child.ask(input, ({ phase, done, total, rate }) => {
    if (phase !== current) progress.start(`ingest of ${phase}`, total, 'items');
    current = phase;
    progress.set(done, rate);
  });
  progress.stop();
  await child.stop();
  for (const [reason, count] of Object.entries(answer.refused)) console.error(`${count} items were refused: ${reason}`);
  return answer;
}

/** Only ingests where a read needs data that no earlier run kept. */
async function measureIngest(options: Options, target: Target, progress: Progress): Promise<Row[]> {
  if (!options.isIngest) {
    if (await target.isLoaded()) return [];
    process.stderr.write('No network is loaded from before: it is loaded now. Use --keep to have it the next time.\n');
  }
  const answer = await ingest(options, target, progress);
  if (!options.isIngest) return [];
  const child = startChild<LimitInput, LimitAnswer>('ingest-limit.ts');
  const { environment, url, kind } = target;
  process.stderr.write('measuring the limits of the ingest\n');
  const limit = await child.ask({ scale: options.scale, environment, url, mostSeconds: 60 });
  await child.stop();
  return ingestRows(answer, limit, kind === 'postgres');
}

async function measureRead(options: Options, target: Target, progress: Progress): Promise<Row[]> {
  if (options.operations.length === 0) return [];
  const operations = await withDatabase(target.environment, async (db) => {
    const chosen = [];
    for (const operation of options.operations) {
      chosen.push({ operation, requests: await selectRequests(db, operation) });
    }
    return chosen;
  });
  const { connections, seconds, flags } = options;
  const { environment } = target;
  const answer: ReadAnswer = await measureReads({ operations, environment, connections, seconds, flags, progress });
  const isTarget = target.kind === 'postgres';
  return [
    ...answer.figures.flatMap((figures) => readRows(figures, isTarget)),
    memoryRow('memory of the service after the reads', answer.memory, isTarget),
  ];
}

async function run(options: Options): Promise<void> {
  // Generated before anything is timed, and once for all processes.
  const { size } = await openNetwork({ scale: options.scale });
  const target = await openTarget(process.env.BENCH_DATABASE_URL, size);
  const heading = describeRun(target, size, options.connections);
  const progress = new Progress();
  // The other processes get the same signal from the terminal.
  process.once('SIGINT', async () => {
    progress.stop();
    if (!options.keep) await target.drop();
    process.exit(130);
  });
  try {
    const rows = await measureIngest(options, target, progress);
    rows.push(...(await measureRead(options, target, progress)));
    const text = `${heading}\n\n${renderTable(rows)}`;
    console.log(`\n${text}`);
    if (options.write) await writeResults(target.kind, text);
  } finally {
    progress.stop();
    if (!options.keep) await target.drop();
  }
}

try {
  const options = readOptions();
  if (options === undefined) console.log(USAGE);
  else await run(options);
} catch (error) {
  console.error(error instanceof TypeError || !(error instanceof Error) ? error : error.message);
  process.exitCode = 1;
}
