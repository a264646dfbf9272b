import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { QueryConfig } from 'pg';
import { pageLine, RECORD_HEADER, type RecordedPage } from './statement-record.js';

// Loaded into the service before its own code (`node --import`): records the statements of each marked request.

interface Recording {
  readonly statements: { readonly level: number; readonly query: QueryConfig }[];
  /** Level of the next statement: one more than the highest of any completed statement. */
  level: number;
}
type Send = (this: unknown, ...args: unknown[]) => unknown;

const file = process.env.BENCH_STATEMENT_FILE as string;
const { Client } = createRequire(process.argv[1] as string)('pg') as { Client: { prototype: { query: Send } } };
const recordings = new AsyncLocalStorage<Recording>();

const queryOf = ([first, second]: readonly unknown[]): QueryConfig => {
  const values = Array.isArray(second) ? { values: second } : {};
  if (typeof first === 'string') return { text: first, ...values };
  // Only plain members: a running query has more, which cannot be written to a file.
  const { name, text, values: own, rowMode } = first as QueryConfig & { rowMode?: unknown };
  return { text, ...(own === undefined ? values : { values: own }), ...(name ? { name } : {}), ...rowModeOf(rowMode) };
};

const rowModeOf = (rowMode: unknown): object => (rowMode === undefined ? {} : { rowMode });

const send = Client.prototype.query;
Client.prototype.query = function query(...args: unknown[]): unknown {
  const recording = recordings.getStore();
  if (recording === undefined) return send.apply(this, args);
  const { level } = recording;
  recording.statements.push({ level, query: queryOf(args) });
  const finish = (): void => {
    recording.level = Math.max(recording.level, level + 1);
  };
  const last = args.at(-1);
  if (typeof last === 'function') {
    const callback = (...result: unknown[]): unknown => {
      finish();
      return last(...result);
    };
    return send.apply(this, [...args.slice(0, -1), callback]);
  }
  const result = send.apply(this, args);
  if (result instanceof Promise) result.then(finish, finish);
  return result;
};

const toPage = ({ statements }: Recording): RecordedPage => {
  const levels: QueryConfig[][] = [];
  for (const { level, query } of statements) {
    levels[level] ??= [];
    levels[level].push(query);
  }
  return levels.filter((level) => level !== undefined);
};

const emit = Server.prototype.emit as (this: Server, event: string | symbol, ...args: unknown[]) => boolean;
Server.prototype.emit = function emitRecorded(this: Server, event: string | symbol, ...args: unknown[]): boolean {
  const [request, response] = args as [IncomingMessage, ServerResponse];
  if (event !== 'request' || !(RECORD_HEADER in request.headers)) return emit.call(this, event, ...args);
  const recording: Recording = { statements: [], level: 0 };
  response.once('finish', () => appendFileSync(file, pageLine(toPage(recording))));
  return recordings.run(recording, () => emit.call(this, event, ...args));
};
