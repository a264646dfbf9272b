import { AsyncLocalStorage } from 'node:async_hooks';
import type { Operation } from '../../src/api/http/operation.js';
import { operations } from '../../src/api/operation-list.js';
import { type Param, type Statement, textOf } from '../../src/db/statement.js';
import type { Network } from './network.js';

/** A statement that a handler sent, prepared or not; the name of one that is not is its text. */
export interface Sent {
  readonly statement: Statement<unknown>;
  readonly params: readonly Param[];
}

/** What runs inside of a handler, apart from the jobs that use the same database meanwhile. */
const inHandler = new AsyncLocalStorage<true>();

/** Must be called before the network starts, once in a test file. */
export const markHandlers = (): void => {
  for (const operation of operations as readonly Pick<
    { -readonly [K in keyof Operation]: Operation[K] },
    'handle' | 'read'
  >[]) {
    const { handle, read } = operation;
    if (handle) operation.handle = (request, services) => inHandler.run(true, () => handle(request, services));
    if (read)
      operation.read = (request, context, services) => inHandler.run(true, () => read(request, context, services));
  }
};

/** @returns a function that gives what handlers asked of the database since its last call. */
export const watchHandlers = ({ app }: Network): (() => Sent[]) => {
  const { db } = app.core;
  const { read, select, run } = db;
  const sent: Sent[] = [];
  const note = (statement: Statement<unknown>, params: readonly Param[]): void => {
    if (inHandler.getStore()) sent.push({ statement, params });
  };
  db.read = (statement, params) => {
    note(statement, params);
    return read(statement, params);
  };
  db.select = (sql, params = []) => {
    const text = textOf(sql);
    note({ name: typeof sql === 'string' ? sql : sql.name, text }, params);
    return select(sql, params);
  };
  db.run = (sql, params = []) => {
    const text = textOf(sql);
    note({ name: text, text }, params);
    return run(sql, params);
  };
  return () => sent.splice(0);
};

/** @returns the names of statements, in an order of their own. */
export const namesOf = (sent: readonly Sent[]): string[] => sent.map(({ statement }) => statement.name).sort();
