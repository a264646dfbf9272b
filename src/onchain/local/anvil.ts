import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../error.js';
import { keepMining } from './anvil-mining.js';

/** How a local chain differs from anvil's own defaults. */
export interface AnvilOptions {
  /** 31337 by default. */
  readonly chainId?: number;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** Rules of the EVM; those of the newest fork by default. */
  readonly hardfork?: 'cancun';
  /** Seconds between blocks; by default each transaction makes a block at once. */
  readonly blockTime?: number;
  /** Blocks are made on demand only. */
  readonly mineOnDemand?: boolean;
  /** Read at the start where it exists, written at the end and every `stateInterval` seconds. */
  readonly stateFile?: string;
  readonly stateInterval?: number;
  /** Wallets of anvil's well-known mnemonic with 10,000 ether each; 10 by default. */
  readonly accounts?: number;
}

/** A chain of this machine alone. */
export interface Anvil {
  readonly url: string;
  readonly port: number;
  readonly chainId: number;
  /** Of the process that guards the chain, and ends after it. */
  readonly pid: number;
  /** Settles when the chain is gone, wanted or not. */
  readonly gone: Promise<void>;
  /** Ends the chain; its state is written. */
  stop(): Promise<void>;
}

const DEFAULT_CHAIN_ID = 31_337;
const START_TIMEOUT_MS = 30_000;

/**
 * Runs the program of its arguments until its own input ends. The input is a pipe from this process, which the system
 * closes however this process dies, so that no chain is left behind.
 */
const GUARD = `
const [program, ...rest] = process.argv.slice(1);
const child = require('node:child_process').spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit'] });
const end = () => child.kill('SIGINT');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
process.stdin.on('close', end).on('error', end).resume();
process.stdout.on('error', end);
child.on('error', (error) => { console.error(error.message); process.exit(1); });
child.on('exit', (code) => process.exit(code ?? 1));
`;

const failure = (reason: string): AppError =>
  new AppError('unavailable', 'LocalChainUnavailable', `The local chain ${reason}.`);

const GO_CPU: Readonly<Record<string, string>> = { x64: 'amd64' };

/**
 * @returns the path of anvil's program, which comes in a package for this platform.
 * @throws AppError unavailable where there is none for this platform or it was not installed
 */
export const anvilProgram = (): string => {
  const name = `@foundry-rs/anvil-${platform()}-${GO_CPU[arch()] ?? arch()}`;
  try {
    // The package of the platform is a dependency of anvil's, not of ours.
    const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
    const file = platform() === 'win32' ? 'anvil.exe' : 'anvil';
    return join(dirname(require.resolve(`${name}/package.json`)), 'bin', file);
  } catch {
    throw failure(`needs the npm package ${name}, which is not installed or not made for this platform`);
  }
};

const argumentsOf = (options: AnvilOptions): string[] => {
  const args = ['--host', '127.0.0.1', '--color', 'never', '--port', String(options.port ?? 0)];
  args.push('--chain-id', String(options.chainId ?? DEFAULT_CHAIN_ID));
  if (options.hardfork !== undefined) args.push('--hardfork', options.hardfork);
  if (options.blockTime !== undefined) args.push('--block-time', String(options.blockTime));
  if (options.mineOnDemand) args.push('--no-mining');
  if (options.stateFile !== undefined) args.push('--state', options.stateFile);
  if (options.stateInterval !== undefined) args.push('--state-interval', String(options.stateInterval));
  if (options.accounts !== undefined) args.push('--accounts', String(options.accounts));
  return args;
};

/**
 * Starts anvil on 127.0.0.1. It ends with this process, also where this one is killed.
 * @returns once it answers
 * @throws AppError unavailable with anvil's own words where it does not start
 */
export const startAnvil = async (options: AnvilOptions = {}): Promise<Anvil> => {
  const child = spawn(process.execPath, ['-e', GUARD, anvilProgram(), ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // In a group of its own: Ctrl-C in a terminal is this process's to act on, which may need the chain until it is done.
    detached: true,
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // The guard may be gone already when its input is closed.
  child.stdin.on('error', () => undefined);
  let said = '';
  const port = await new Promise<number>((resolve, reject) => {
    const refuse = (): void => reject(failure(`did not start: ${said.trim().slice(-1000)}`));
    const timer = setTimeout(refuse, START_TIMEOUT_MS);
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      const [, found] = /Listening on 127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(Number(found));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    const end = (error?: Error): void => {
      clearTimeout(timer);
      said += error?.message ?? '';
      refuse();
    };
    child.once('error', end);
    child.once('close', () => end());
  }).catch((error: unknown) => {
    child.stdin.end();
    throw error;
  });
  // It goes on to say a line for each request: read, so that it never waits for a reader, and forgotten.
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume();
  const url = `http://127.0.0.1:${port}`;
  if (options.blockTime === undefined && !options.mineOnDemand) void gone.then(keepMining(url));
  return {
    url,
    port,
    chainId: options.chainId ?? DEFAULT_CHAIN_ID,
    pid: child.pid as number,
    gone,
    stop: async () => {
      child.stdin.end();
      await gone;
    },
  };
};
