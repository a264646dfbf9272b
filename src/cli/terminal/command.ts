import type { Command } from 'commander';
import type { ServiceCore } from '../../app/service-core.js';
import type { StoreConfig } from '../../config/config.js';
import type { Environment } from '../../config/env.js';
import type { Database } from '../../db/database.js';
import type { Log } from '../../log.js';
import type { Output } from './output.js';

/**
 * Access of a command to the stored data:
 * - `use`: requires a database with the schema of this program, and neither creates nor migrates it, so that no command
 *   changes a mistyped folder or the database of a service of another version.
 * - `create`: creates a missing database, and may migrate it.
 * - `inspect`: reads any database without changing it.
 */
export type StoreAccess = 'use' | 'create' | 'inspect';

/**
 * Context of a command: of its own process, or of the service that holds the data folder. The database is opened at the
 * first call according to the command's `store`, and closed by the caller of the command.
 */
export interface CommandContext {
  readonly config: StoreConfig;
  /**
   * @returns store and ingest; migrated for a command that may create it
   * @throws AppError if a command that uses the database finds none, or another schema
   */
  openCore(): Promise<ServiceCore>;
  /**
   * @returns the database; for a command that creates or inspects, migrated or not
   * @throws AppError as `openCore`; also if a command that inspects finds none
   */
  openDatabase(): Promise<Database>;
  readonly log: Log;
  /** Whether it was typed in another process than this one, which holds the data folder. */
  readonly isRemote: boolean;
  /** Aborted when the user presses Ctrl-C or the service stops. */
  readonly signal: AbortSignal;
}

export interface Invocation {
  /** Arguments of the command line in order; a variadic one is an array. */
  readonly args: readonly (string | readonly string[] | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Absolute; file names of the user are relative to it. */
  readonly cwd: string;
  readonly environment: Environment;
}

/** A command as it was typed, for the process that runs it. */
export interface TypedCommand {
  /** Its name. */
  readonly command: string;
  readonly input: unknown;
  /** Whether the result is printed for programs (`--json`). */
  readonly isJson: boolean;
}

/** A line that a newcomer would type, and what it does, for the help. */
export type Example = readonly [line: string, effect: string];
export type Examples = readonly [Example, Example];

/**
 * A command on the stored data. It may run in another process than it was typed in, so `Input` is plain data with
 * absolute file names.
 */
export interface CommandDefinition<Input = unknown> {
  /** As typed after the program's name: `import`, `key create`. */
  readonly name: string;
  readonly store: StoreAccess;
  /** Whether commands of other processes must not run while it holds the data folder. */
  readonly isAlone?: boolean;
  readonly summary: string;
  readonly examples: Examples;
  configure?(command: Command): void;
  /** Absent without arguments and options. @throws UsageError for invalid ones */
  input?(invocation: Invocation): Input;
  /** @returns the exit status if it is not 0: 1 for a command that reports a problem */
  run(context: CommandContext, input: Input, output: Output): Promise<void> | Promise<number | undefined>;
}

/** Invalid arguments or options. The process exits with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** For options that may be given several times: `--fid 1 --fid 2`. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** As `collect`, for values that may be lists with commas, with or without spaces. */
export const collectList = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').map((item) => item.trim()),
];

/** Checks the type of a command's input, which the list of all commands erases. `store` is `use` unless given. */
export const defineCommand = <Input>(
  definition: Omit<CommandDefinition<Input>, 'store'> & { readonly store?: StoreAccess },
): CommandDefinition => ({ store: 'use', ...definition }) as CommandDefinition;
