import { type Database, type Param, type Session, urgentStatement } from './database.js';

/** The part of a PostgreSQL client that rate-limiter-flexible works with. */
export interface RateLimitClient {
  query(query: { readonly name: string; readonly text: string; readonly values: readonly Param[] }): Promise<{
    readonly rows: readonly unknown[];
    readonly rowCount: number;
  }>;
}

/** Where the library keeps its counts: columns `key`, `points` and `expire`, in this order. */
export const RATE_LIMIT_TABLE = 'rate_limit';

/** @returns the client for the library: its statements stand behind no long read. */
export const rateLimitClient = (db: Database): RateLimitClient => ({
  query: async ({ name, text, values }) => {
    const rows = await db.read<unknown>(urgentStatement(name, text), values);
    return { rows, rowCount: rows.length };
  },
});

/** Deletes counts that ended before `before`. */
export const deleteEndedRateLimits = async (session: Session, before: Date): Promise<void> => {
  await session.run('delete from rate_limit where expire < $1', [before.getTime()]);
};
