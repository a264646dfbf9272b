import type { Database } from '../db/database.js';
import type { Session } from '../db/statement.js';
import type { SpanAttributes, Tracer } from './tracer.js';

/** A statement that is only text has no name. */
const UNNAMED = 'statement';

/** @param name of a statement */
export const attributesOf = (name: string): SpanAttributes => ({
  'db.system.name': 'postgresql',
  'db.query.summary': name,
});

const nameOf = (sql: string | { readonly name: string }): string => (typeof sql === 'string' ? UNNAMED : sql.name);

const tracedSession = (session: Session, { call }: Tracer): Session => ({
  ...session,
  read: (statement, params, caller) =>
    call(statement.name, attributesOf(statement.name), () => session.read(statement, params, caller)),
  select: (sql, params) => call(nameOf(sql), attributesOf(nameOf(sql)), () => session.select(sql, params)),
  run: (sql, params) => call(nameOf(sql), attributesOf(nameOf(sql)), () => session.run(sql, params)),
});

/**
 * @returns the same database, whose statements and transactions are spans below those of requests, batches and
 *   deliveries; what nobody asked for, such as the look for due jobs, is none. Parameters are not written down.
 */
export const tracedDatabase = (db: Database, tracer: Tracer): Database => ({
  ...db,
  ...tracedSession(db, tracer),
  writeWithPriority: (statement, params) =>
    tracer.call(statement.name, attributesOf(statement.name), () => db.writeWithPriority(statement, params)),
  transaction: (work) =>
    tracer.child('transaction', attributesOf('transaction'), () =>
      db.transaction((session) => work(tracedSession(session, tracer))),
    ),
});
