import { Command, CommanderError, Option } from 'commander';
import { type Environment, readEnvironment } from '../config/env.js';
import { VERSION } from '../version.js';
import { allCommands } from './command-list.js';
import type { CommandDefinition } from './terminal/command.js';
import { exitNow } from './terminal/exit-code.js';
import type { ExitResult } from './terminal/exit-result.js';
import type { OutputEvent } from './terminal/output.js';

// Commands load their modules when they run, so that --help is fast.

const ENV_FILE = '--env-file';

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

const runStored = async (definition: CommandDefinition, command: Command): Promise<void> => {
  // Parse the input first, so that its errors are reported at once.
  const invocation = { args: command.processedArgs, options: command.opts(), cwd: process.cwd(), environment };
  const input = definition.input?.(invocation);
  const [{ runCommand }, { Terminal }, { onStopSignal }] = await Promise.all([
    import('./run.js'),
    import('./terminal/terminal.js'),
    import('./terminal/signal.js'),
  ]);
  const terminal = new Terminal();
  const interrupted = new AbortController();
  const release = onStopSignal(() => interrupted.abort());
  const print = (event: OutputEvent) => terminal.print(event);
  const ending = await runCommand(definition, input, environment, print, interrupted.signal);
  release();
  terminal.finish();
  conclude(ending);
};

/** Makes `key create` a command of the group `key`. */
const addStored = (program: Command, groups: Map<string, Command>, definition: CommandDefinition): void => {
  const words = definition.name.split(' ');
  const name = words.pop() as string;
  let parent = program;
  for (const word of words) {
    const group =
      groups.get(word) ??
      parent
        .command(word)
        .summary(GROUPS[word] ?? '')
        .description(GROUPS[word] ?? '');
    groups.set(word, group);
    parent = group;
  }
  const command = parent.command(name).summary(definition.summary).description(`${definition.summary}.`);
  definition.configure?.(command);
  command.action(() => runStored(definition, command));
};

const GROUPS: Readonly<Record<string, string>> = {
  account: 'Sign as an account of the sample network, whose keys are public knowledge',
  app: 'Make, list and change the apps that keys belong to',
  key: 'Make, list, rotate and revoke API keys',
  signer: 'Approve, list, narrow and revoke the keys that apps sign with',
  'auth-address': 'Approve and revoke addresses that sign in for accounts',
  delivery: 'List and try again what could not be delivered to mini apps and host apps',
  miniapp: 'List the catalog of mini apps, read manifests, feature and hide mini apps',
  webhook: 'List, test and replay webhooks, explain which events they get, and change their secrets',
  secret: 'Change the key that stored secrets are sealed with',
};

/** Options that replace variables; they take precedence over the environment. */
const VARIABLES = {
  port: 'PORT',
  fids: 'CASTELLAN_FIDS',
  fidsFile: 'CASTELLAN_FIDS_FILE',
  expose: 'CASTELLAN_EXPOSE',
  localChain: 'CASTELLAN_LOCAL_CHAIN',
  workers: 'CASTELLAN_WORKERS',
  role: 'CASTELLAN_ROLE',
  embedded: 'CASTELLAN_EMBEDDED',
} as const;

const withOptions = (options: Readonly<Record<string, unknown>>): Environment => {
  const typed = Object.entries(VARIABLES).filter(([option]) => options[option] !== undefined);
  return { ...environment, ...Object.fromEntries(typed.map(([option, name]) => [name, String(options[option])])) };
};

const addService = (program: Command, profile: 'dev' | 'serve', summary: string): Command => {
  const command = program.command(profile).summary(summary).description(`${summary}.`);
  return command
    .option('--port <port>', 'listen on this port (PORT)')
    .option('--fids <list>', 'index only these accounts, like 2,3,5650 (CASTELLAN_FIDS)')
    .option('--fids-file <file>', 'index only the accounts listed in this file (CASTELLAN_FIDS_FILE)')
    .action(async () => {
      const { runService } = await import('./service.js');
      const options = command.opts();
      conclude(
        await runService(profile, withOptions(options), {
          sample: options.sample !== false,
          still: options.still === true,
        }),
      );
    });
};

/** Address of the service for commands that call one. */
const defaultService = (): string => environment.CASTELLAN_URL ?? environment.PUBLIC_URL ?? 'http://127.0.0.1:3000';

const createProgram = (): Command => {
  const program = new Command('castellan')
    .description('Self-hosted server for the Farcaster social protocol.')
    .version(VERSION, '-V, --version')
    .option(`${ENV_FILE} <file>`, 'read variables from this file (default: .env in this folder, if there is one)')
    .showHelpAfterError('(--help says more)')
    .exitOverride();
  addService(program, 'dev', 'Start for development: sample network, generated keys, this machine only')
    .addOption(new Option('--expose', 'listen beyond this machine; the keys are for development').default(undefined))
    .option('--no-sample', 'start without the sample network')
    .option('--still', 'the accounts of the sample network do nothing')
    .option('--local-chain <on|off>', 'whether a chain of its own stands in for the networks (CASTELLAN_LOCAL_CHAIN)');
  addService(program, 'serve', 'Start for production: nothing is generated, everything is configured')
    .option('--workers <n>', 'answer requests in this many processes (CASTELLAN_WORKERS)')
    .option('--role <list>', 'do only this of api, ingest and job (CASTELLAN_ROLE)')
    .option(
      '--embedded',
      'use the embedded database in the data folder, for a small installation (CASTELLAN_EMBEDDED)',
    );
  const init = program
    .command('init')
    .summary('Set up an installation: asks, checks, and writes .env, a reverse proxy and a service')
    .description(
      'Set up an installation: asks for what is not given, checks database and hub as `doctor` does, and writes `.env` (with a new master key), a file for the reverse proxy, and a systemd unit or `compose.yaml`.',
    )
    .option('--folder <folder>', 'where the files are written', '.')
    .option('--domain <host>', 'by which clients reach the service')
    .option('--run <what>', 'systemd, compose (containers, with a database) or none')
    .option('--database <url>', 'postgres://user:password@host:5432/database')
    .option('--hub <url>', 'grpcs://host:port, grpc://host:port or none')
    .option('--proxy <which>', 'caddy, nginx or none')
    .option('--no-check', 'write the files although database or hub cannot be reached from here')
    .action(async () => {
      const { runInit } = await import('./init/init.js');
      const { check, folder, ...given } = init.opts();
      conclude(await runInit({ ...given, folder, checked: check }));
    });
  const groups = new Map<string, Command>();
  for (const definition of allCommands) addStored(program, groups, definition);
  program
    .command('redirect')
    .summary("Print a module that sends a program's requests for the vendor's hosts to this service")
    .description(
      "Print a module that sends a program's requests for the vendor's hosts to this service: `castellan redirect > redirect.mjs`, then `node --import ./redirect.mjs program.mjs`. CASTELLAN_URL names another service.",
    )
    .argument('[url]', 'address of the service (CASTELLAN_URL)', defaultService())
    .action(async (url: string) => {
      const { redirectModule } = await import('./redirect.js');
      process.stdout.write(await redirectModule(url));
    });
  program
    .command('mcp')
    .summary('Serve tools for AI agents over standard input and output (Model Context Protocol)')
    .description(
      'Serve tools for AI agents over standard input and output (Model Context Protocol). They call a service with the key in CASTELLAN_API_KEY, or the one that a development service has left in its data folder.',
    )
    .argument('[url]', 'address of the service (CASTELLAN_URL)', defaultService())
    .action(async (url: string) => {
      const { runMcp } = await import('./mcp.js');
      await runMcp(url, environment);
    });
  program
    .command('version')
    .summary('Print the version')
    .action(() => void process.stdout.write(`${VERSION}\n`));
  return program;
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

try {
  environment = readEnvironment(takeEnvFile(args));
  await createProgram().parseAsync(args, { from: 'user' });
} catch (error) {
  // Commander has printed the error of the command line; help and version are no errors.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    const { exitResultOf } = await import('./terminal/exit-result.js');
    conclude(exitResultOf(error));
  }
}
