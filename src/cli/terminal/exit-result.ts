import { ConfigError } from '../../config/reader.js';
import { isOutcomeUnknown } from '../../store/commit-outcome.js';
import { isDatabaseAway, isReadOnly } from '../../store/failure.js';
import { UsageError } from '../command.js';

/** How a run ended, in a form that travels: the exit status and what to tell about it. */
export interface Ending {
  readonly code: number;
  readonly message?: string;
  /** For LOG_LEVEL=debug only. */
  readonly stack?: string;
}

/** Exit status of a command that its user interrupted, as shells count it (128 + SIGINT). */
export const INTERRUPTED = 130;

const codeOf = (error: unknown): number => (error instanceof ConfigError || error instanceof UsageError ? 2 : 1);

const messageOf = (error: Error): string => {
  if (isOutcomeUnknown(error)) return `${error.message} Look whether it is before you run the command again.`;
  if (isReadOnly(error))
    return `The database takes no writes (${error.message}): check that DATABASE_URL is the primary.`;
  if (!isDatabaseAway(error)) return error.message;
  const why = error.message || (error as NodeJS.ErrnoException).code;
  return `The database cannot be reached (${why}): check DATABASE_URL and that it runs.`;
};

/** @returns what a person is told of an error: what is wrong and what to do, without a stack. */
export function endingOf(error: unknown, signal?: AbortSignal): Ending {
  if (signal?.aborted) return { code: INTERRUPTED, message: 'Interrupted; what was done so far stays.' };
  if (!(error instanceof Error)) return { code: 1, message: String(error) };
  const message = messageOf(error);
  return { code: codeOf(error), message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}
