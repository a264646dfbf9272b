import { readFile } from 'node:fs/promises';
import type { Database } from '../src/db/database.js';

/** Seconds of processor time so far, by process. */
export type SessionSeconds = ReadonlyMap<number, number>;

/** Reads Linux's schedstat, which begins with nanoseconds on a processor. @returns undefined if it is not a process of PostgreSQL */
const secondsOf = async (pid: number): Promise<number | undefined> => {
  try {
    if ((await readFile(`/proc/${pid}/comm`, 'utf8')).trim() !== 'postgres') return undefined;
    return Number.parseInt(await readFile(`/proc/${pid}/schedstat`, 'utf8'), 10) / 1e9;
  } catch {
    return undefined;
  }
};

/**
 * Reads the processor time of PostgreSQL's backends for one client.
 * @param name the client's `application_name`
 * @returns an empty map if the server is on another machine
 */
export const sessionSeconds = async (db: Database, name: string): Promise<SessionSeconds> => {
  const sessions = await db.run<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [
    name,
  ]);
  const seconds = await Promise.all(sessions.map(async ({ pid }) => [pid, await secondsOf(pid)] as const));
  return new Map(seconds.filter((one): one is readonly [number, number] => one[1] !== undefined));
};

/** @returns seconds between two results, without ended sessions; undefined if unknown */
export const secondsSince = (before: SessionSeconds, after: SessionSeconds): number | undefined => {
  if (after.size === 0) return undefined;
  let sum = 0;
  for (const [pid, seconds] of after) sum += seconds - (before.get(pid) ?? 0);
  return sum;
};
