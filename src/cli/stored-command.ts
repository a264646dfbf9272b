import type { Command } from 'commander';
import type { Environment } from '../config/env.js';
import { addExamples, groupSummary } from './help.js';
import type { CommandDefinition } from './terminal/command.js';
import type { ExitResult } from './terminal/exit-result.js';
import type { OutputEvent } from './terminal/output.js';

/** Runs a command that was typed, where the data is. @throws UsageError for invalid arguments or options */
const runStored = async (
  definition: CommandDefinition,
  command: Command,
  environment: Environment,
): Promise<ExitResult> => {
  // Parse the input first, so that its errors are reported at once.
  const options = command.opts();
  const input = definition.input?.({ args: command.processedArgs, options, cwd: process.cwd(), environment });
  const [{ runCommand }, { Terminal }, { onStopSignal }] = await Promise.all([
    import('./run.js'),
    import('./terminal/terminal.js'),
    import('./terminal/signal.js'),
  ]);
  const terminal = new Terminal();
  const interrupted = new AbortController();
  const release = onStopSignal(() => interrupted.abort());
  const print = (event: OutputEvent) => terminal.print(event);
  const typed = { input, isJson: options.json === true };
  const ending = await runCommand(definition, typed, environment, print, interrupted.signal);
  release();
  terminal.finish();
  return ending;
};

/** @returns the command of a word that begins several, like `key` of `key create` */
const groupOf = (parent: Command, word: string): Command => {
  const text = groupSummary(word);
  return (
    parent.commands.find((command) => command.name() === word) ??
    parent.command(word).summary(text).description(`${text}.`)
  );
};

/**
 * Adds a command on the stored data to the program.
 * @param conclude receives the result of its run
 */
export const addStored = (
  program: Command,
  definition: CommandDefinition,
  environment: Environment,
  conclude: (result: ExitResult) => void,
): void => {
  const words = definition.name.split(' ');
  const command = words
    .slice(0, -1)
    .reduce(groupOf, program)
    .command(words.at(-1) as string)
    .summary(definition.summary)
    .description(`${definition.summary}.`);
  definition.configure?.(command);
  command.option('--json', 'print the result as JSON, for programs');
  addExamples(command, definition.examples);
  command.action(async () => conclude(await runStored(definition, command, environment)));
};
