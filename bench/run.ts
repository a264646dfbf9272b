import { resolve } from 'node:path';
import { balanceRow, measureBalances } from './balance.js';
import { defaultCheckout } from './build-import.js';
import { type Comparison, openSides } from './build-pair.js';
import { measureCounts } from './cast-metric.js';
import { startChild } from './child.js';
import { compareRows } from './comparison.js';
import { measureCompression } from './compression.js';
import { measureNames } from './dialect.js';
import { measureEvents } from './event.js';
import { FIRST_PAGES, measureFirstPages } from './first-page.js';
import { type GrowthInput, measureGrowth } from './growth.js';
import { measureHost } from './host-event.js';
import { measureHubIngest } from './hub-ingest.js';
import { measureHubRpc } from './hub-rpc.js';
import type { LimitInput, LimitResult } from './ingest-limit.js';
import { compareIngests, ingestNetwork } from './ingest-run.js';
import { measureMetering } from './metering.js';
import { openNetwork } from './network.js';
import { multiplyNetwork } from './network-multiply.js';
import { measureOnchain, onchainRows } from './onchain.js';
import { type Options, readOptions, USAGE } from './option.js';
import { measureOverload } from './overload.js';
import { Progress } from './progress.js';
import { measureReads, type ReadResult } from './read.js';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';
import { measureReadPairs } from './read-pair.js';
import { renderReadPairs } from './read-pair-table.js';
import { growthRows, memoryRows, readRows } from './read-table.js';
import { measureRest } from './rest.js';
import { describeRun, readResults, writeResults } from './result.js';
import { type RequestedOperation, selectRequests } from './sample.js';
import { measureSizes } from './size.js';
import { hostRow, ingestRows, meteringRows, namesRows, type Row, renderTable, writeRows } from './table.js';
import { openTarget, type Target, withDatabase } from './target.js';
import { measureTraces } from './trace.js';
import { measureWorkers } from './workers.js';
import { measureWrites } from './write.js';

/** Only ingests if a read needs data that no earlier run kept. */
const measureIngest = async (options: Options, target: Target, progress: Progress): Promise<Row[]> => {
  if (!options.isIngest) {
    if (await target.isLoaded()) return [];
    process.stderr.write('No network is loaded from before: it is loaded now. Use --keep to have it the next time.\n');
  }
  const answer = await ingestNetwork(options, target, progress);
  if (!options.isIngest) return [];
  const child = startChild<LimitInput, LimitResult>('ingest-limit.ts');
  const { environment, url, kind } = target;
  process.stderr.write('measuring the limits of the ingest\n');
  const limit = await child.ask({ scale: options.scale, environment, url, maxSeconds: 60 });
  await child.stop();
  return ingestRows(answer, limit, kind === 'postgres');
};

const selectRequested = (target: Target, operations: readonly ReadOperation[]): Promise<RequestedOperation[]> =>
  withDatabase(target.environment, async (db) => {
    const asked: RequestedOperation[] = [];
    for (const operation of operations) asked.push({ operation, requests: await selectRequests(db, operation) });
    return asked;
  });

const measureRead = async (options: Options, target: Target, progress: Progress): Promise<Row[]> => {
  if (options.operations.length === 0 || options.growth) return [];
  const operations = await selectRequested(target, options.operations);
  const { connections, seconds, flags } = options;
  const answer: ReadResult = await measureReads({ operations, target, connections, seconds, flags, progress });
  const isTarget = target.kind === 'postgres';
  return [...answer.figures.flatMap((figures) => readRows(figures, isTarget)), ...memoryRows(answer.memory, isTarget)];
};

const FIRST_OPERATIONS = READ_OPERATIONS.filter(({ id }) => FIRST_PAGES.has(id));

/** Requires a PostgreSQL server, whose look-ups are the limit. */
const measureFirst = async (
  { isFirst, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> => {
  if (!isFirst || target.kind !== 'postgres') return [];
  const operations = await selectRequested(target, FIRST_OPERATIONS);
  const builds = [{ label: '', checkout: defaultCheckout(), target }];
  return measureFirstPages({ operations, builds, connections, seconds, flags, progress });
};

const compareFirst = async (
  { connections, seconds, flags }: Options,
  checkouts: Comparison<string>,
  target: Target,
  progress: Progress,
): Promise<string> => {
  const operations = await selectRequested(target, FIRST_OPERATIONS);
  const { sides, drop } = await openSides(checkouts, target);
  const builds = [
    { label: ', old build', ...sides.old },
    { label: ', new build', ...sides.new },
  ];
  try {
    return renderTable(await measureFirstPages({ operations, builds, connections, seconds, flags, progress }));
  } finally {
    await drop();
  }
};

/** @returns a table of both builds; to compare reads, the old one loads the network if no earlier run kept it */
const comparePair = async (options: Options, pair: string, target: Target, progress: Progress): Promise<string> => {
  const checkouts = { old: resolve(pair), new: defaultCheckout() };
  if (options.operations.length === 0 && options.isIngest) return compareIngests(options, checkouts, target, progress);
  if (!(await target.isLoaded())) await ingestNetwork(options, target, progress, checkouts.old);
  if (options.operations.length === 0) return compareFirst(options, checkouts, target, progress);
  const operations = await selectRequested(target, options.operations);
  const { connections, seconds, flags } = options;
  return renderReadPairs(
    await measureReadPairs({ checkouts, target, operations, connections, seconds, flags, progress }),
  );
};

/** Requires a PostgreSQL server, because several processes share a database. */
const measureMeters = async (
  { isMetering, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> => {
  if (!isMetering || target.kind !== 'postgres') return [];
  return meteringRows(await measureMetering({ target, connections, seconds, flags, progress }));
};

/** Requires a PostgreSQL server, because several processes share a database. */
const measureTracing = async (
  { isTraces, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> => {
  if (!isTraces || target.kind !== 'postgres') return [];
  return measureTraces({ target, connections, seconds, flags, progress });
};

const measureBothNames = async (
  { isNames, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> => {
  if (!isNames) return [];
  const operations = await selectRequested(
    target,
    READ_OPERATIONS.filter(({ isPersonal }) => !isPersonal),
  );
  return namesRows(await measureNames({ operations, target, connections, seconds, flags, progress }));
};

const measureWrite = async (
  { isWrite, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> => {
  if (!isWrite) return [];
  return writeRows(await measureWrites({ target, connections, seconds, flags, progress }));
};

const measureHostEvents = async (
  { isHost, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> => {
  if (!isHost) return [];
  return [hostRow(await measureHost({ target, connections, seconds, flags, progress }))];
};

/** Requires a PostgreSQL server, because several processes use the database. */
const measureOutgoing = async ({ isEvents, flags }: Options, target: Target, progress: Progress): Promise<Row[]> => {
  if (!isEvents || target.kind !== 'postgres') return [];
  return measureEvents({ target, flags, progress });
};

const measureCastMetrics = async ({ isMetrics, seconds, flags }: Options, target: Target): Promise<Row[]> =>
  isMetrics ? measureCounts({ target, seconds, flags }) : [];

/** Pages of casts beside single users. */
const measureShedding = async ({ isOverload, flags }: Options, target: Target): Promise<Row[]> => {
  if (!isOverload) return [];
  const ids = ['hub-fetch-users-casts', 'lookup-user-by-username'];
  const [greedy, other] = await selectRequested(
    target,
    ids.map((id) => READ_OPERATIONS.find((one) => one.id === id) as ReadOperation),
  );
  return measureOverload({ greedy: greedy as RequestedOperation, other: other as RequestedOperation, target, flags });
};

const SHARED_READS = ['fetch-bulk-users', 'fetch-bulk-casts', 'hub-fetch-users-casts', 'fetch-user-following-feed'];

const measureShared = async (
  { isWorkers, connections, seconds, flags }: Options,
  target: Target,
  progress: Progress,
): Promise<Row[]> => {
  if (!isWorkers || target.kind !== 'postgres') return [];
  const operations = await selectRequested(
    target,
    READ_OPERATIONS.filter(({ id }) => SHARED_READS.includes(id)),
  );
  return measureWorkers({ operations, target, connections, seconds, flags, progress });
};

/** Operations whose pages are large: those of one account or place are small. */
const COMPRESSED_PAGES = 10;

const measureSmallerPages = async ({ isCompression, flags }: Options, target: Target): Promise<string | undefined> => {
  if (!isCompression) return undefined;
  const operations = READ_OPERATIONS.filter(({ isPersonal }) => !isPersonal).slice(0, COMPRESSED_PAGES);
  return measureCompression({ operations: await selectRequested(target, operations), target, flags });
};

const measureChains = async ({ isOnchain, flags }: Options, target: Target, progress: Progress): Promise<Row[]> => {
  if (!isOnchain) return [];
  const rows = onchainRows(await measureOnchain({ target, flags, progress }));
  return [...rows, balanceRow(await measureBalances({ environment: target.environment, flags, progress }))];
};

/** In a database of its own: its log has nothing but its own events. */
const measureRpc = async ({ isRpc, seconds }: Options): Promise<Row[]> => {
  if (!isRpc) return [];
  const size = { accounts: 0, casts: 0, reactions: 0, links: 0 };
  return measureHubRpc(await openTarget(process.env.BENCH_DATABASE_URL, size), seconds);
};

/** Scale of the network for measurements of chains and wallets, which do not use it. */
const NO_NETWORK = 0.001;

const needsNetwork = (options: Options): boolean =>
  options.isIngest ||
  options.isHub ||
  options.operations.length > 0 ||
  options.isFirst ||
  options.isNames ||
  options.isMetering ||
  options.isTraces ||
  options.isWrite ||
  options.isHost ||
  options.isEvents ||
  options.isMetrics ||
  options.isOverload ||
  options.isWorkers ||
  options.isSize ||
  options.isCompression;

/** @throws unless the database is on a server, which can copy it */
const measureLarger = async (options: Options, target: Target, progress: Progress): Promise<Row[]> => {
  if (!options.growth) return [];
  const { connections, seconds, flags } = options;
  const operations = await selectRequested(target, options.operations);
  const large = await multiplyNetwork(target, progress);
  try {
    const input: GrowthInput = { operations, target, large, connections, seconds, flags, progress };
    return (await measureGrowth(input)).flatMap(growthRows);
  } finally {
    if (!options.keep) await large.drop();
  }
};

/** Prints which shares of limits fell, and fails then. */
const compareWithLast = async (target: Target, rows: readonly Row[]): Promise<void> => {
  const { compared, falls } = compareRows(rows, await readResults(target.kind));
  process.stderr.write(
    `${compared} shares of limits stand in bench/RESULTS.md, too; ${falls.length} fell by more than a tenth\n`,
  );
  for (const fall of falls) process.stderr.write(`${fall}\n`);
  if (falls.length > 0) process.exitCode = 1;
};

const measureAll = async (options: Options, target: Target, progress: Progress): Promise<string> => {
  if (options.pair !== undefined) return comparePair(options, options.pair, target, progress);
  // Before the ingest, which creates the database again.
  const isStreamed = options.isHub && target.kind === 'postgres';
  const streamed = isStreamed ? [await measureHubIngest(target, options.scale, options.flags)] : [];
  const rows = [...(await measureIngest(options, target, progress)), ...streamed];
  // First, because further parts write.
  const sizes = options.isSize ? await measureSizes(target) : undefined;
  const compression = await measureSmallerPages(options, target);
  rows.push(...(await measureRead(options, target, progress)));
  rows.push(...(await measureFirst(options, target, progress)));
  rows.push(...(await measureLarger(options, target, progress)));
  rows.push(...(await measureCastMetrics(options, target)));
  rows.push(...(await measureShared(options, target, progress)));
  rows.push(...(await measureBothNames(options, target, progress)));
  rows.push(...(await measureMeters(options, target, progress)));
  rows.push(...(await measureTracing(options, target, progress)));
  rows.push(...(await measureWrite(options, target, progress)));
  rows.push(...(await measureHostEvents(options, target, progress)));
  rows.push(...(await measureOutgoing(options, target, progress)));
  rows.push(...(await measureShedding(options, target)));
  rows.push(...(await measureChains(options, target, progress)));
  rows.push(...(await measureRpc(options)));
  if (options.isRest) rows.push(...(await measureRest(target, options.flags)));
  if (options.compare) await compareWithLast(target, rows);
  return [
    ...(rows.length > 0 ? [renderTable(rows)] : []),
    ...[sizes, compression].flatMap((table) => table ?? []),
  ].join('\n\n');
};

const run = async (asked: Options): Promise<void> => {
  // Read by this process and its children.
  if (asked.dist !== undefined) process.env.BENCH_CHECKOUT = resolve(asked.dist);
  const options = needsNetwork(asked) ? asked : { ...asked, scale: NO_NETWORK };
  // Generated once for all processes, before anything is timed.
  const { size } = await openNetwork({ scale: options.scale });
  const target = await openTarget(process.env.BENCH_DATABASE_URL, size);
  const heading = describeRun(target, size, options.connections);
  const progress = new Progress();
  // The terminal sends the same signal to the children.
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
};

try {
  const options = readOptions();
  if (options === undefined) console.log(USAGE);
  else await run(options);
} catch (error) {
  console.error(error instanceof TypeError || !(error instanceof Error) ? error : error.message);
  process.exitCode = 1;
}
