import { createHash } from 'node:crypto';
import pg, { type QueryConfig } from 'pg';
import { importBuilt } from './build-import.js';
import { handleParentMessages } from './child.js';
import { type RecordedPage, readPages } from './statement-record.js';

/** The minimum that a page needs of PostgreSQL: its prepared statements, sent by bare clients in a separate process. */
export interface StatementLimitInput {
  /** postgres:// address of the database. */
  readonly url: string;
  /** Recorded pages, which are sent in order, repeatedly. */
  readonly file: string;
  readonly connections: number;
  /** Duration; absent: until every page was sent once. */
  readonly seconds?: number;
}

export interface StatementLimitResult {
  readonly pages: number;
  readonly seconds: number;
  /** Milliseconds of one page. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the clients. */
  readonly cpuSeconds: number;
  /** Statements of a page, on average. */
  readonly statements: number;
}

interface Source {
  readonly pages: readonly RecordedPage[];
  next: number;
}

/** The service's session settings for reads; recorded statements must change nothing. */
const SETTINGS =
  '-c jit=off -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c default_transaction_read_only=on';

const { columnTypes } = await importBuilt<typeof import('../src/db/client-type.js')>('db/client-type.js');
const sources = new Map<string, Source>();
const clients: pg.Client[] = [];

const connect = async (url: string): Promise<pg.Client> => {
  const options = { connectionString: url, types: columnTypes, options: SETTINGS, pipeline: true };
  const client = new pg.Client(options);
  await client.connect();
  return client;
};

const prepared = (query: QueryConfig): QueryConfig => ({
  ...query,
  name: query.name ?? createHash('md5').update(query.text).digest('hex'),
});

const open = async (file: string): Promise<Source> => {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const pages = (await readPages(file)).map((levels) => levels.map((queries) => queries.map(prepared)));
  const source = { pages, next: 0 };
  sources.set(file, source);
  return source;
};

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

handleParentMessages<StatementLimitInput, StatementLimitResult>(async ({ url, file, connections, seconds }) => {
  const source = await open(file);
  const { pages } = source;
  while (clients.length < connections) clients.push(await connect(url));
  const started = performance.now();
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : started + 1000 * seconds;
  const end = seconds === undefined ? source.next + pages.length : Number.POSITIVE_INFINITY;
  const latencies: number[] = [];
  let statements = 0;
  const cpu = process.cpuUsage();
  const drive = async (client: pg.Client): Promise<void> => {
    for (let sentAt = performance.now(); sentAt < until && source.next < end; ) {
      for (const level of pages[source.next++ % pages.length] as RecordedPage) {
        statements += level.length;
        await Promise.all(level.map((query) => client.query({ ...query })));
      }
      const now = performance.now();
      latencies.push(now - sentAt);
      sentAt = now;
    }
  };
  await Promise.all(clients.map(drive));
  const { user, system } = process.cpuUsage(cpu);
  const sorted = Float64Array.from(latencies).sort();
  return {
    pages: sorted.length,
    seconds: (performance.now() - started) / 1000,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpuSeconds: (user + system) / 1e6,
    statements: statements / sorted.length,
  };
});

process.on('disconnect', () => process.exit());
