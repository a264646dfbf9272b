import { CommanderError } from 'commander';
import { type Environment, readEnvironment } from '../config/env.js';
import { createProgram, ENV_FILE } from './program.js';
import { exitNow } from './terminal/exit-code.js';
import type { ExitResult } from './terminal/exit-result.js';

/** Takes `--env-file FILE` out of the arguments, wherever it stands: its variables are defaults of other options. */
const takeEnvFile = (args: string[]): string | undefined => {
  const at = args.findIndex((arg) => arg === ENV_FILE || arg.startsWith(`${ENV_FILE}=`));
  if (at < 0) return undefined;
  const [option = '', next] = args.splice(at, args[at] === ENV_FILE ? 2 : 1);
  return option === ENV_FILE ? next : option.slice(ENV_FILE.length + 1);
};

const args = process.argv.slice(2);
let environment: Environment = {};

/** Prints the error, if any, and sets the exit status. */
const conclude = ({ code, message, stack }: ExitResult): void => {
  const debug = environment.CASTELLAN_LOG_LEVEL === 'debug' || environment.CASTELLAN_LOG_LEVEL === 'trace';
  if (message !== undefined) process.stderr.write(`${debug && stack ? stack : message}\n`);
  process.exitCode = code;
};

/**
 * Ends the process after an uncaught error, as Node would, but without its line of code, which in a minified dependency
 * is the whole file.
 */
const onUncaught = (error: unknown): void => {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  process.stderr.write(`Castellan ended because of an error that nothing handled: ${stack ?? message}\n`);
  void exitNow(1);
};

// Unhandled rejections are also reported here.
process.on('uncaughtException', onUncaught);
// Whoever reads the output may have enough of it, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') void exitNow(0);
  else onUncaught(error);
});

try {
  environment = readEnvironment(takeEnvFile(args));
  await createProgram(environment, conclude).parseAsync(args, { from: 'user' });
} catch (error) {
  // Commander has printed the error of the command line; help and version are no errors.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    const { exitResultOf } = await import('./terminal/exit-result.js');
    conclude(exitResultOf(error));
  }
}
