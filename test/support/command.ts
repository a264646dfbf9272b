import { Command } from 'commander';
import { allCommands } from '../../src/cli/command-list.js';
import { createOutput } from '../../src/cli/terminal/output.js';
import { createLog } from '../../src/log.js';
import type { Network } from './network.js';

/** What a command printed, and its exit status. */
export interface CommandRun {
  readonly code: number;
  /** Lines of standard output. */
  readonly out: string;
  /** Remarks for standard error, without progress. */
  readonly notes: string;
  /** Progress as far as it came, one entry for each report. */
  readonly progress: readonly { readonly done: number; readonly total: number | undefined; readonly unit: string }[];
}

/**
 * Runs a command inside the service, as the process that holds an embedded database runs those of others.
 * @param name as it is typed: `webhook test`
 * @param args may contain `--json`
 * @throws what the command throws, and UsageError for faulty input
 */
export const runCommandIn = async (
  { app, config }: Network,
  name: string,
  args: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<CommandRun> => {
  const definition = allCommands.find((one) => one.name === name);
  if (definition === undefined) throw new Error(`there is no command ${name}`);
  const command = new Command(name).exitOverride();
  definition.configure?.(command);
  command.option('--json');
  command.parse(args, { from: 'user' });
  const invocation = { args: command.processedArgs, options: command.opts(), cwd: '/', environment: {} };
  const input = definition.input?.(invocation);
  const lines: string[] = [];
  const notes: string[] = [];
  const progress: { done: number; total: number | undefined; unit: string }[] = [];
  const output = createOutput((event) => {
    if (event.type === 'progress') progress.push({ done: event.done, total: event.total, unit: event.unit });
    else (event.type === 'line' ? lines : notes).push(event.text);
  }, command.opts().json);
  const { core } = app;
  const context = {
    config,
    log: createLog('silent'),
    openDatabase: async () => core.db,
    openCore: async () => core,
    isRemote: true,
    signal,
  };
  // The socket between the processes carries JSON.
  const code = await definition.run(context, input === undefined ? input : JSON.parse(JSON.stringify(input)), output);
  return { code: code || 0, out: lines.join('\n'), notes: notes.join('\n'), progress };
};
