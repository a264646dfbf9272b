import { ConfigError } from '../../config/reader.js';
import { isOutcomeUnknown } from '../../db/commit-outcome.js';
import { isDatabaseUnavailable, isReadOnly, sqlState } from '../../db/failure.js';
import { UsageError } from './command.js';

/** Result of a run in serializable form: the exit status and a message. */
export interface ExitResult {
  readonly code: number;
  readonly message?: string;
  /** For CASTELLAN_LOG_LEVEL=debug only. */
  readonly stack?: string;
}

/** Exit status of an interrupted command, as in shells (128 + SIGINT). */
export const INTERRUPTED = 130;

const codeOf = (error: unknown): number => (error instanceof ConfigError || error instanceof UsageError ? 2 : 1);

/** What to do about a server that answers and refuses, by SQLSTATE. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'correct the password in DATABASE_URL',
  '28000': 'correct the user in DATABASE_URL, or let it in from this machine (pg_hba.conf)',
  '3D000': 'make it with `createdb`, or correct its name at the end of DATABASE_URL',
  '53300': 'it has too many connections; raise max_connections, or use fewer (CASTELLAN_DATABASE_POOL_SIZE)',
};

const messageOf = (error: Error): string => {
  if (isOutcomeUnknown(error)) return `${error.message} Look whether it is before you run the command again.`;
  if (isReadOnly(error))
    return `The database takes no writes (${error.message}): check that DATABASE_URL is the primary.`;
  if (!isDatabaseUnavailable(error)) return error.message;
  const why = error.message || (error as NodeJS.ErrnoException).code;
  const advice = ADVICE[sqlState(error) ?? ''];
  if (advice !== undefined) return `The database refuses the connection (${why}): ${advice}.`;
  return `The database cannot be reached (${why}): check DATABASE_URL and that it runs.`;
};

/** @returns the message of an error for users, without a stack */
export const exitResultOf = (error: unknown, signal?: AbortSignal): ExitResult => {
  if (signal?.aborted) return { code: INTERRUPTED, message: 'Interrupted; what was done so far stays.' };
  if (!(error instanceof Error)) return { code: 1, message: String(error) };
  const message = messageOf(error);
  return { code: codeOf(error), message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
};
