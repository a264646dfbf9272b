import { resolve } from 'node:path';
import { balanceRow, measureBalances } from './balance.js';
import { defaultCheckout } from './build-import.js';
import { startChild } from './child.js';
import { type GrowthInput, measureGrowth } from './network-size-comparison.js';
import { measureHost } from './host-event.js';
import type { IngestAnswer, IngestInput, IngestProgress } from './ingest.js';
import type { LimitAnswer, LimitInput } from './ingest-limit.js';
import { measureMetering } from './metering.js';
import { measureNames } from './dialect.js';
import { openNetwork } from './network.js';
import { measureOnchain, onchainRows } from './onchain.js';
import { type Options, readOptions, USAGE } from './option.js';
import { Progress } from './progress.js';
import { type Asked, measureReads, type ReadAnswer } from './read.js';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';
import { measureReadPairs } from './read-pair.js';
import { renderReadPairs } from './read-pair-table.js';
import { growthRows, memoryRows, readRows } from './read-table.js';
import { describeRun, writeResults } from './result.js';
import { selectRequests } from './sample.js';
import { hostRow, ingestRows, meteringRows, namesRows, type Row, renderTable, writeRows } from './table.js';
import { openTarget, type Target, withDatabase } from './target.js';
import { measureWrites } from './write.js';

async function ingest(
  options: Pick<Options, 'scale' | 'most' | 'flags'>,
  target: Target,
  progress: Progress,
  checkout?: string,
): Promise<IngestAnswer> {
  await target.create();
  const child = startChild<IngestInput, IngestAnswer, IngestProgress>('ingest.ts', options.flags, checkout);
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

const selectAsked = (target: Target, operations: readonly ReadOperation[]): Promise<Asked[]> =>
  withDatabase(target.environment, async (db) => {
    const asked: Asked[] = [];
    for (const operation of operations) asked.push({ operation, requests: await selectRequests(db, operation) });
    return asked;
  });

async function measureRead(options: Options, target: Target, progress: Progress): Promise<Row[]> {
  if (options.operations.length === 0) return [];
  const operations = await selectAsked(target, options.operations);
  const { connections, seconds, flags } = options;
  const answer: ReadAnswer = await measureReads({ operations, target, connections, seconds, flags, progress });
  const isTarget = target.kind === 'postgres';
  return [...answer.figures.flatMap((figures) => readRows(figures, isTarget)), ...memoryRows(answer.memory, isTarget)];
}

/** @returns a table of both builds; the old one loads the network where no earlier run kept it */
async function comparePair(options: Options, pair: string, target: Target, progress: Progress): Promise<string> {
  const checkouts = { old: resolve(pair), new: defaultCheckout() };
  if (!(await target.isLoaded())) await ingest(options, target, progress, checkouts.old);
  const operations = await selectAsked(target, options.operations);
  const { connections, seconds, flags } = options;
  return renderReadPairs(
    await measureReadPairs({ checkouts, target, operations, connections, seconds, flags, progress }),
  );
}

/** Several processes on one database: the embedded one is held by one. */
async function measureMeters(
  { isMetering, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> {
  if (!isMetering || target.kind !== 'postgres') return [];
  return meteringRows(await measureMetering({ target, connections, seconds, flags, progress }));
}

async function measureBothNames(
  { isNames, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> {
  if (!isNames) return [];
  const operations = await selectAsked(
    target,
    READ_OPERATIONS.filter(({ isPersonal }) => !isPersonal),
  );
  return namesRows(await measureNames({ operations, target, connections, seconds, flags, progress }));
}

async function measureWrite(
  { isWrite, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> {
  if (!isWrite) return [];
  return writeRows(await measureWrites({ target, connections, seconds, flags, progress }));
}

async function measureHostEvents(
  { isHost, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> {
  if (!isHost) return [];
  return [hostRow(await measureHost({ target, connections, seconds, flags, progress }))];
}

async function measureChains({ isOnchain, flags }: Options, target: Target, progress: Progress): Promise<Row[]> {
  if (!isOnchain) return [];
  const rows = onchainRows(await measureOnchain({ target, flags, progress }));
  return [...rows, balanceRow(await measureBalances({ environment: target.environment, flags, progress }))];
}

const TENTH = 0.1;
/** Chains and wallets have no part in the network of accounts and casts. */
const NO_NETWORK = 0.001;

const needsNetwork = ({ isIngest, operations, isNames, isMetering, isWrite, isHost }: Options): boolean =>
  isIngest || operations.length > 0 || isNames || isMetering || isWrite || isHost;

/** Loads a network a tenth the size where no earlier run kept one. */
async function measureLists(options: Options, target: Target, progress: Progress): Promise<Row[]> {
  const lists = options.operations.filter((operation) => operation.target?.growth !== undefined);
  if (!options.growth || lists.length === 0) return [];
  const scale = TENTH * options.scale;
  const { size } = await openNetwork({ scale });
  const small = await openTarget(process.env.BENCH_DATABASE_URL, size);
  try {
    if (!(await small.isLoaded())) await ingest({ ...options, scale }, small, progress);
    const { connections, seconds, flags } = options;
    const input: GrowthInput = {
      operations: await selectAsked(target, lists),
      target,
      tenth: { operations: await selectAsked(small, lists), target: small },
      connections,
      seconds,
      flags,
      progress,
    };
    const isTarget = target.kind === 'postgres';
    return (await measureGrowth(input)).flatMap((growth) => growthRows(growth, isTarget));
  } finally {
    if (!options.keep) await small.drop();
  }
}

async function measureAll(options: Options, target: Target, progress: Progress): Promise<string> {
  if (options.pair !== undefined) return comparePair(options, options.pair, target, progress);
  const rows = await measureIngest(options, target, progress);
  rows.push(...(await measureRead(options, target, progress)));
  rows.push(...(await measureLists(options, target, progress)));
  rows.push(...(await measureBothNames(options, target, progress)));
  rows.push(...(await measureMeters(options, target, progress)));
  rows.push(...(await measureWrite(options, target, progress)));
  rows.push(...(await measureHostEvents(options, target, progress)));
  rows.push(...(await measureChains(options, target, progress)));
  return renderTable(rows);
}

async function run(asked: Options): Promise<void> {
  // Read by this process and by those that it starts.
  if (asked.dist !== undefined) process.env.BENCH_CHECKOUT = resolve(asked.dist);
  const options = needsNetwork(asked) ? asked : { ...asked, scale: NO_NETWORK };
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
    const text = `${heading}\n\n${await measureAll(options, target, progress)}`;
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
