import type { Database } from '../../db/database.js';

export interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do, if anything. */
  readonly advice?: string;
}

export const ok = (check: string, text: string): Finding => ({ check, result: 'ok', text });
export const warn = (check: string, text: string, advice: string): Finding => ({
  check,
  result: 'warn',
  text,
  advice,
});
export const fail = (check: string, text: string, advice: string): Finding => ({
  check,
  result: 'fail',
  text,
  advice,
});

/** @returns what `check` finds; nothing if the database is unavailable or lacks the tables, which other checks report */
export const whereStored = async (
  open: () => Promise<Database>,
  check: (db: Database) => Promise<Finding[]>,
): Promise<Finding[]> => {
  try {
    return await check(await open());
  } catch {
    return [];
  }
};

/** @returns a line with what to do for each check that failed */
export const problemsOf = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ check, result, text, advice }) => (result === 'fail' ? `${check} ${text}. ${advice ?? ''}` : []));
