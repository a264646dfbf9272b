import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { redisUrl } from '../support/redis.js';
import { databaseUrl, onServer } from '../support/template.js';

const PROGRAM = fileURLToPath(new URL('programs/shuttle.mjs', import.meta.url));

/** What a reconciliation found: numbers of messages by account, and by reason of refusal. */
export interface Reconciliation {
  readonly accounts: number;
  readonly missing: Readonly<Record<string, number>>;
  /** Stored and in force here, but not in the hub. */
  readonly surplus: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
}

/** What the program prints, one at a time. */
interface Report {
  /** Id of the event from which on it reads. */
  readonly following?: number;
  readonly backfilled?: Reconciliation;
  readonly consuming?: boolean;
  /** Why it does not store a message of the stream. */
  readonly skipped?: string;
  /** The error that ended its stream. */
  readonly broken?: string;
}

/** The package refuses user data that is newer than its version of the protocol's package: places, for example. */
export const REFUSAL = 'Invalid message: invalid user data type (type 11)';
/** It knows neither names below base.eth, nor casts of more than 1,024 bytes, either. */
export const NEWER_REFUSALS = [
  /^Invalid message: fname "[a-z0-9-]+\.base\.eth" (doesn't match .*|> 16 characters) \(type 11\)$/,
  /^Invalid message: invalid cast type \(type 1\)$/,
];

/** All that the package both backfills and follows: it does not backfill compact states of links (type 14). */
const SELECT_STORED = `
  select fid || ' ' || type || ' ' || encode(hash, 'hex') as message from message
   where not void and (type in (2, 3, 4, 5, 6, 7, 8)
      or type = 1 and not exists (select from "cast" c where c.fid = message.fid and c.hash = message.hash and c.type = 2)
      or type = 11 and subtype in (1, 2, 3, 5, 6) and not (subtype = 6 and position('.base.eth'::bytea in data) > 0))`;
const SELECT_COPIED = `
  select fid || ' ' || type || ' ' || encode(hash, 'hex') as message from messages
   where deleted_at is null and pruned_at is null and revoked_at is null and type <> 14`;

type Query = (sql: string) => Promise<{ readonly message: string }[]>;

/**
 * @param query runs a statement in the database of a service
 * @returns the messages that are in force there and that the package stores: each its account, type and hash, sorted
 */
export const storedMessages = async (query: Query): Promise<string[]> =>
  (await query(SELECT_STORED)).map(({ message }) => message).sort();

/** `programs/shuttle.mjs` with a database of its own, started again whenever it ends. */
export class Shuttle {
  readonly reports: Report[] = [];
  readonly #environment: Record<string, string>;
  readonly #serverUrl: string;
  readonly #database = `castellan_shuttle_${randomBytes(4).toString('hex')}`;
  readonly #redis = new Redis(redisUrl);
  readonly #streamKey: string;
  readonly #positionKey: string;
  readonly #backfilledKey: string;
  #child: ChildProcess | undefined;
  #starts = 0;
  #isStopping = false;

  /** @param hub `host:port` of the hub's gRPC interface */
  constructor(serverUrl: string, hub: string) {
    this.#serverUrl = serverUrl;
    const shard = `test-${randomBytes(4).toString('hex')}`;
    // The names that the package gives its keys.
    this.#streamKey = `hub:${hub}:evt:msg:${shard}`;
    this.#positionKey = `hub:${hub}:${shard}:last-hub-event-id`;
    this.#backfilledKey = `${hub}:${shard}:backfilled`;
    this.#environment = {
      PATH: process.env.PATH ?? '',
      HUB: hub,
      SHARD: shard,
      REDIS_URL: redisUrl,
      POSTGRES_URL: databaseUrl(serverUrl, this.#database),
      LOG_LEVEL: 'silent',
    };
  }

  /** How often the program was started. */
  get starts(): number {
    return this.#starts;
  }

  async start(): Promise<void> {
    await onServer(this.#serverUrl, `create database ${this.#database}`);
    this.#run();
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** @returns the id of the last event that it has put into its stream; 0: none */
  async position(): Promise<number> {
    return Number((await this.#redis.get(this.#positionKey)) ?? 0);
  }

  /** @returns whether everything in its stream has been stored */
  async hasStored(): Promise<boolean> {
    const [groups, last] = await Promise.all([
      this.#redis.xinfo('GROUPS', this.#streamKey),
      this.#redis.xrevrange(this.#streamKey, '+', '-', 'COUNT', 1),
    ]);
    const [group] = groups as (string | number)[][];
    const fieldOf = (name: string) => group?.[group.indexOf(name) + 1];
    return fieldOf('pending') === 0 && fieldOf('last-delivered-id') === last[0]?.[0];
  }

  /** Lets the package compare once, and store what is missing. */
  async reconcile(): Promise<Reconciliation> {
    const child = this.#spawn('reconcile');
    const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return JSON.parse(printed);
  }

  /** @returns rows of its table */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.#environment.POSTGRES_URL });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** @returns the messages that it has in force, in the form of {@link storedMessages} */
  async messages(): Promise<string[]> {
    const rows = await this.query<{ message: string }>(SELECT_COPIED);
    return rows.map(({ message }) => message).sort();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#child?.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.kill();
      await ended;
    }
    await this.#redis.del(this.#streamKey, this.#positionKey, this.#backfilledKey);
    this.#redis.disconnect();
    await onServer(this.#serverUrl, `drop database if exists ${this.#database} with (force)`);
  }

  #spawn(mode: 'follow' | 'reconcile') {
    const stdio = ['ignore', 'pipe', process.env.TEST_LOG_LEVEL === undefined ? 'ignore' : 'inherit'] as const;
    return spawn(process.execPath, [PROGRAM, mode], { env: this.#environment, stdio: [...stdio] });
  }

  #run(): void {
    const child = this.#spawn('follow');
    this.#child = child;
    this.#starts += 1;
    let rest = '';
    child.stdout?.on('data', (data) => {
      const lines = `${rest}${data}`.split('\n');
      rest = lines.pop() as string;
      for (const line of lines) this.reports.push(JSON.parse(line));
    });
    child.once('exit', () => {
      if (!this.#isStopping) this.#run();
    });
  }
}
