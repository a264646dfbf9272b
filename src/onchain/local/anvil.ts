import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createTestClient, hexToBytes, http } from 'viem';
import { AppError } from '../../error.js';
import { mineContinuously } from './anvil-mining.js';

/** Differences from anvil's defaults. */
export interface AnvilOptions {
  /** 31337 by default. */
  readonly chainId?: number;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** EVM version, by default the latest. */
  readonly hardfork?: 'cancun';
  /** Blocks are mined on request only; by default each transaction is mined at once. */
  readonly mineOnDemand?: boolean;
  /** Read at the start if it exists; written at the end. */
  readonly stateFile?: string;
  /** RPC address of a chain whose latest state the chain starts with. Its chain id is not adopted: see `chainId`. */
  readonly forkUrl?: string;
  /** Number of accounts of anvil's well-known mnemonic, with 10,000 ether each; default 10. */
  readonly accounts?: number;
  /** Milliseconds between two looks for transactions that the chain has forgotten; a second by default. */
  readonly lookMs?: number;
}

/** A local anvil process. */
export interface Anvil {
  readonly url: string;
  readonly port: number;
  readonly chainId: number;
  /** Process id of the guard, which ends after the chain. */
  readonly pid: number;
  /** Resolves when the chain has ended for any reason. */
  readonly gone: Promise<void>;
  /** Ends the chain after its state is in the file, if it has one. */
  stop(): Promise<void>;
}

const DEFAULT_CHAIN_ID = 31_337;
const START_TIMEOUT_MS = 30_000;

/**
 * Runs a program until the guard's own stdin ends. The operating system closes that pipe in whatever way this process
 * dies, so no chain is left running.
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

/** @returns the package that has the program, with the version that fits */
const anvilPackage = (): string => {
  const name = '@foundry-rs/anvil';
  const { peerDependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return `${name}@${peerDependencies[name]}`;
};

const GO_CPU: Readonly<Record<string, string>> = { x64: 'amd64' };

/**
 * @returns the path of the anvil binary, which is in a package for this platform. A service that people use needs none, so
 * it is a peer of the package, which the checkout has among the dependencies of development.
 * @throws AppError unavailable if there is none for this platform or it is not installed
 */
export const anvilProgram = (): string => {
  const name = `@foundry-rs/anvil-${platform()}-${GO_CPU[arch()] ?? arch()}`;
  try {
    // The package of the platform is a dependency of anvil's package, not of ours.
    const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
    const file = platform() === 'win32' ? 'anvil.exe' : 'anvil';
    return join(dirname(require.resolve(`${name}/package.json`)), 'bin', file);
  } catch {
    throw failure(
      `needs the program anvil: \`npm install ${anvilPackage()}\` beside Castellan brings it, if it is made for this platform (${platform()}-${arch()})`,
    );
  }
};

const argumentsOf = (options: AnvilOptions): string[] => {
  const args = ['--host', '127.0.0.1', '--color', 'never', '--port', String(options.port ?? 0)];
  args.push('--chain-id', String(options.chainId ?? DEFAULT_CHAIN_ID));
  if (options.hardfork !== undefined) args.push('--hardfork', options.hardfork);
  if (options.mineOnDemand) args.push('--no-mining');
  if (options.stateFile !== undefined) args.push('--state', options.stateFile);
  // Without the cache, which is shared by all chains of a user, a fork writes nothing.
  if (options.forkUrl !== undefined) args.push('--fork-url', options.forkUrl, '--no-storage-caching');
  if (options.accounts !== undefined) args.push('--accounts', String(options.accounts));
  return args;
};

/**
 * Anvil writes its state when it is interrupted, but accepts requests before it listens to that signal: an interrupt in
 * between ends it without a state. So it is asked for its state first. A chain that has ended is not asked.
 */
const keepState = async (url: string, stateFile: string): Promise<void> => {
  const client = createTestClient({ mode: 'anvil', transport: http(url, { retryCount: 0 }) });
  const state = await client.dumpState().catch(() => undefined);
  if (state === undefined) return;
  const part = `${stateFile}.part`;
  await writeFile(part, gunzipSync(hexToBytes(state)));
  await rename(part, stateFile);
};

/**
 * Starts anvil on 127.0.0.1. It ends with this process, even if that is killed.
 * @returns when it accepts requests
 * @throws AppError unavailable with anvil's message if it does not start
 */
export const startAnvil = async (options: AnvilOptions = {}): Promise<Anvil> => {
  const child = spawn(process.execPath, ['-e', GUARD, anvilProgram(), ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, so that Ctrl-C in a terminal reaches this process only, which may still need the chain.
    detached: true,
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // The guard may have ended before its stdin is closed.
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
  // Anvil prints a line for each request. The output must be read, or anvil would block on a full pipe.
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume();
  const url = `http://127.0.0.1:${port}`;
  if (!options.mineOnDemand) void gone.then(mineContinuously(url, options.lookMs));
  const end = async (): Promise<void> => {
    try {
      if (options.stateFile !== undefined) await keepState(url, options.stateFile);
    } finally {
      child.stdin.end();
      await gone;
    }
  };
  let ended: Promise<void> | undefined;
  return {
    url,
    port,
    chainId: options.chainId ?? DEFAULT_CHAIN_ID,
    pid: child.pid as number,
    gone,
    stop: () => {
      ended ??= end();
      return ended;
    },
  };
};
