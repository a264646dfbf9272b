import type { Command } from 'commander';
import type { StoreConfig } from '../config/config.js';
import type { Environment } from '../config/env.js';
import type { Core } from '../service-core.js';
import type { Log } from '../log.js';
import type { Database } from '../store/database.js';
import type { Output } from './terminal/output.js';

/**
 * What a command needs of the stored data:
 * - `use`: a database that has the schema of this program. It is neither made nor migrated: a mistyped folder or a
 *   service of another version must not be changed by `key list`, nor by `key create`.
 * - `create`: makes the database where there is none, and may migrate it.
 * - `inspect`: looks at whatever is there and changes nothing.
 */
export type StoreUse = 'use' | 'create' | 'inspect';

/**
 * What a command works with: its own, or that of the service which holds the data folder. Both are opened at the first
 * call, as the command's `store` says, and closed by whoever runs the command.
 */
export interface CommandContext {
  readonly config: StoreConfig;
  /**
   * @returns the store and the way into it; migrated for a command that may create it.
   * @throws AppError where there is no database, or one of another schema, for a command that uses it.
   */
  openCore(): Promise<Core>;
  /**
   * @returns the database; for a command that creates or inspects, as it stands, migrated or not.
   * @throws AppError as `openCore` does; where there is no database, for a command that inspects, too.
   */
  openDatabase(): Promise<Database>;
  readonly log: Log;
  /** Aborted when the user presses Ctrl-C or the service stops. */
  readonly signal: AbortSignal;
}

/** Where a command was typed. */
export interface Invocation {
  /** Arguments of the command line, in order; a variadic one is an array. */
  readonly args: readonly (string | readonly string[] | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Absolute; files that the user names are relative to it. */
  readonly cwd: string;
  readonly environment: Environment;
}

/**
 * A command that works on the stored data. It is typed in one process and may run in another, so what it needs
 * travels as `Input`: plain data, file names made absolute.
 */
export interface CommandDefinition<Input = unknown> {
  /** As it is typed after the program's name: `import`, `key create`. */
  readonly name: string;
  readonly store: StoreUse;
  readonly summary: string;
  /** Declares arguments and options. */
  configure?(command: Command): void;
  /** @throws UsageError for what cannot be meant. */
  input(invocation: Invocation): Input;
  /** @returns the exit status: 0, or 1 when the answer is that something is wrong. */
  run(context: CommandContext, input: Input, output: Output): Promise<number>;
}

/** A command line that cannot be meant as it stands. The process exits 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** For options that may be given several times: `--fid 1 --fid 2`. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Ties the type of a command's input together; it is checked here and erased for the list of all commands. */
export const defineCommand = <Input>(definition: CommandDefinition<Input>): CommandDefinition =>
  definition as CommandDefinition;
