import { Command, Option } from 'commander';
import type { Environment } from '../config/env.js';
import { VERSION } from '../version.js';
import { allCommands } from './command-list.js';
import { addExamples, addHeadings } from './help.js';
import { addStored } from './stored-command.js';
import type { ExitResult } from './terminal/exit-result.js';

// Commands load their modules when they run, so that --help is fast.

export const ENV_FILE = '--env-file';

type Conclude = (result: ExitResult) => void;

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

const withOptions = (environment: Environment, options: Readonly<Record<string, unknown>>): Environment => {
  const typed = Object.entries(VARIABLES).filter(([option]) => options[option] !== undefined);
  return { ...environment, ...Object.fromEntries(typed.map(([option, name]) => [name, String(options[option])])) };
};

const addService = (
  program: Command,
  { profile, summary }: { readonly profile: 'dev' | 'serve'; readonly summary: string },
  environment: Environment,
  conclude: Conclude,
): Command => {
  const command = program.command(profile).summary(summary).description(`${summary}.`);
  return command
    .option('--port <port>', 'listen on this port (PORT)')
    .option('--fids <list>', 'index only these accounts, like 2,3,5650 (CASTELLAN_FIDS)')
    .option('--fids-file <file>', 'index only the accounts listed in this file (CASTELLAN_FIDS_FILE)')
    .action(async () => {
      const { runService } = await import('./service.js');
      const options = command.opts();
      const variables = withOptions(environment, options);
      conclude(
        await runService(profile, variables, { sample: options.sample !== false, still: options.still === true }),
      );
    });
};

const addServices = (program: Command, environment: Environment, conclude: Conclude): void => {
  const dev = {
    profile: 'dev',
    summary: 'Start for development: sample network, generated keys, this machine only',
  } as const;
  const serve = {
    profile: 'serve',
    summary: 'Start for production: nothing is generated, everything is configured',
  } as const;
  addExamples(
    addService(program, dev, environment, conclude)
      .addOption(new Option('--expose', 'listen beyond this machine; the keys are for development').default(undefined))
      .option('--no-sample', 'start without the sample network')
      .option('--still', 'the accounts of the sample network do nothing')
      .option(
        '--local-chain <on|off>',
        'whether a chain of its own stands in for the networks (CASTELLAN_LOCAL_CHAIN)',
      ),
    [
      ['castellan dev', 'start with a sample network, and print how to use it'],
      ['castellan dev --port 4000 --no-sample', 'start empty, on another port'],
    ],
  );
  addExamples(
    addService(program, serve, environment, conclude)
      .option('--workers <n>', 'answer requests in this many processes (CASTELLAN_WORKERS)')
      .option('--role <list>', 'do only this of api, ingest and job (CASTELLAN_ROLE)')
      .option(
        '--embedded',
        'use the embedded database in the data folder, for a small installation (CASTELLAN_EMBEDDED)',
      ),
    [
      ['castellan serve', 'start with the settings of the environment, or of .env in this folder'],
      [
        'castellan serve --env-file /etc/castellan.env --workers 4',
        'read them from a file, and answer in four processes',
      ],
    ],
  );
};

const addInit = (program: Command, conclude: Conclude): void => {
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
  addExamples(init, [
    ['castellan init', 'ask for everything'],
    [
      'castellan init --domain social.example --run compose --hub grpcs://hub.example:2283 --proxy caddy',
      'ask for nothing: containers with a database, behind Caddy',
    ],
  ]);
};

/** Commands for programs that call a service. */
const addClients = (program: Command, environment: Environment): void => {
  const service = environment.CASTELLAN_URL ?? environment.PUBLIC_URL ?? 'http://127.0.0.1:3000';
  const redirect = program
    .command('redirect')
    .summary("Print a module that sends a program's requests for the vendor's hosts to this service")
    .description(
      "Print a module that sends a program's requests for the vendor's hosts to this service: `castellan redirect > redirect.mjs`, then `node --import ./redirect.mjs program.mjs`. CASTELLAN_URL names another service.",
    )
    .argument('[url]', 'address of the service (CASTELLAN_URL)', service)
    .action(async (url: string) => {
      const { redirectModule } = await import('./redirect.js');
      process.stdout.write(await redirectModule(url));
    });
  addExamples(redirect, [
    ['castellan redirect > redirect.mjs', 'write the module for the service on this machine'],
    ['castellan redirect https://social.example > redirect.mjs', 'write it for another service'],
  ]);
  const mcp = program
    .command('mcp')
    .summary('Serve tools for AI agents over standard input and output (Model Context Protocol)')
    .description(
      'Serve tools for AI agents over standard input and output (Model Context Protocol). They call a service with the key in CASTELLAN_API_KEY, or the one that a development service has left in its data folder.',
    )
    .argument('[url]', 'address of the service (CASTELLAN_URL)', service)
    .action(async (url: string) => {
      const { runMcp } = await import('./mcp.js');
      await runMcp(url, environment);
    });
  addExamples(mcp, [
    ['castellan mcp', 'serve the tools of the service on this machine'],
    ['castellan mcp https://social.example', 'serve those of another one'],
  ]);
};

const addVersion = (program: Command): void => {
  const version = program
    .command('version')
    .summary('Print the version')
    .description('Print the version.')
    .option('--json', 'print the result as JSON, for programs')
    .action(async () => {
      const [{ createOutput }, { Terminal }] = await Promise.all([
        import('./terminal/output.js'),
        import('./terminal/terminal.js'),
      ]);
      const terminal = new Terminal();
      createOutput((event) => terminal.print(event), version.opts().json).result({ version: VERSION }, VERSION);
    });
  addExamples(version, [
    ['castellan version', 'print it'],
    ["castellan version --json | jq -r '.version'", 'print it, for a script'],
  ]);
};

/**
 * @param environment the variables, which are defaults of options
 * @param conclude receives the result of a command that ends
 * @returns the program with all its commands
 */
export const createProgram = (environment: Environment, conclude: Conclude): Command => {
  const program = new Command('castellan')
    .description('Self-hosted server for the Farcaster social protocol.')
    .version(VERSION, '-V, --version')
    .option(`${ENV_FILE} <file>`, 'read variables from this file (default: .env in this folder, if there is one)')
    .addHelpText('after', '\ncastellan <command> --help shows its options and two examples.')
    .showHelpAfterError('(--help says more)')
    .exitOverride();
  addServices(program, environment, conclude);
  addInit(program, conclude);
  for (const definition of allCommands) addStored(program, definition, environment, conclude);
  addClients(program, environment);
  addVersion(program);
  addHeadings(program);
  return program;
};
