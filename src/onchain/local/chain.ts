import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTestClient, http, publicActions } from 'viem';
import { AppError } from '../../error.js';
import { LOCAL_CHAIN } from '../network.js';
import type { LocalChainAddress } from '../rpc/networks.js';
import { type Anvil, startAnvil } from './anvil.js';
import { LocalState, type StateOrigin } from './state.js';

/** The chain of the development profile: an anvil process that is restarted when it ends. */
export interface LocalChain extends LocalChainAddress {
  /**
   * @returns where the state of the chain came from
   * @throws AppError if the chain did not start
   */
  origin(): Promise<StateOrigin>;
  /** Ends the chain after its state was saved. */
  stop(): Promise<void>;
}

export interface LocalChainOptions {
  /** For the files of the chain only. */
  readonly folder: string;
  /** Called when the chain ends by itself and when it is running again, with a message for the operator. */
  readonly noted: (message: string, error?: unknown) => void;
  /** Milliseconds between two looks for a new block, whose state is then saved; a second by default. */
  readonly pollMs?: number;
  /** Milliseconds before a chain that ended by itself is started again; a second by default. */
  readonly restartMs?: number;
  /** How long the previous chain in this folder, and this one, may take to end, in milliseconds; 5 s by default. */
  readonly endMs?: number;
}

const POLL_INTERVAL_MS = 1000;
/** A large state takes long to write, so the next write waits this many times as long. */
const REST_FACTOR = 10;
const MAX_REST_MS = 5000;
/** While there is no new block, the pauses between two looks grow step by step, to so many times their length. */
const QUIET_FACTOR = 3;
const RESTART_MS = 1000;
const END_MS = 5000;
const END_POLL_MS = 50;

/** Creates a client with the actions of a development node. */
export const localClient = (url: string) =>
  createTestClient({
    chain: LOCAL_CHAIN,
    mode: 'anvil',
    transport: http(url),
    cacheTime: 0,
    pollingInterval: 20,
  }).extend(publicActions);

export type LocalClient = ReturnType<typeof localClient>;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** @returns whether the process is a chain of this folder, and not another process with a reused id */
const isOurs = async (pid: number, file: string): Promise<boolean> => {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes(file);
};

/** The pid file of a running chain. */
export interface RunningChain {
  /** Process id of the guard. */
  readonly pid: number;
  readonly url: string;
}

const runningFile = (folder: string): string => join(folder, 'running.json');

/** @returns the content of the pid file; the process may have ended since */
export const readRunningChain = async (folder: string): Promise<RunningChain | undefined> => {
  const text = await readFile(runningFile(folder), 'utf8').catch(() => '');
  try {
    const { pid, url } = JSON.parse(text) as Partial<RunningChain>;
    return Number.isSafeInteger(pid) && (pid as number) > 1 && URL.canParse(String(url))
      ? { pid: pid as number, url: String(url) }
      : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Waits for the previous chain: that of a killed service ends by itself and writes its state. Two chains must never run
 * in one folder.
 * @throws AppError if the other chain keeps running
 */
const awaitEnd = async (folder: string, stateFile: string, endMs: number): Promise<void> => {
  const other = await readRunningChain(folder);
  if (!other) return;
  const until = performance.now() + endMs;
  while (isAlive(other.pid)) {
    if (!(await isOurs(other.pid, stateFile))) return;
    if (performance.now() > until) {
      const message = `The local chain of another service runs in this data folder (process ${other.pid}): give this one a folder of its own with CASTELLAN_DATA_DIR.`;
      throw new AppError('conflict', 'LocalChainHeld', message);
    }
    await wait(END_POLL_MS);
  }
};

/** Starts the chain without waiting for it. It is restarted if it ends by itself, and ends with this process. */
export const startLocalChain = (options: LocalChainOptions): LocalChain => {
  const { folder, noted, pollMs = POLL_INTERVAL_MS, restartMs = RESTART_MS, endMs = END_MS } = options;
  const state = new LocalState(folder);
  const stopping = new AbortController();
  const { signal } = stopping;

  const start = async (): Promise<{ readonly anvil: Anvil; readonly origin: StateOrigin }> => {
    await awaitEnd(folder, state.file, endMs);
    let origin = await state.prepare();
    const anvil = await startAnvil({ stateFile: state.file }).catch(async (error: Error) => {
      // The state file is complete, but of another version of anvil. A new chain is started, and the file is renamed.
      if (origin.kind === 'new' || !/--state|load state/i.test(error.message)) throw error;
      origin = await state.startCooldown();
      return startAnvil({ stateFile: state.file });
    });
    const running: RunningChain = { pid: anvil.pid, url: anvil.url };
    await writeFile(runningFile(folder), JSON.stringify(running), { mode: 0o600 });
    return { anvil, origin };
  };

  /** Saves the state after each new block, until the chain ends. */
  const keepBlocks = async ({ url, gone }: Anvil): Promise<void> => {
    const client = localClient(url);
    const over = new AbortController();
    void gone.then(() => over.abort());
    const until = AbortSignal.any([over.signal, signal]);
    let kept = -1n;
    let rest = pollMs;
    while (await rested(rest, until)) {
      try {
        const block = await client.getBlockNumber();
        if (block === kept) {
          rest = Math.min(1.5 * rest, QUIET_FACTOR * pollMs);
          continue;
        }
        const began = performance.now();
        await state.keep(await client.dumpState());
        kept = block;
        rest = Math.min(Math.max(pollMs, (performance.now() - began) * REST_FACTOR), MAX_REST_MS);
      } catch (error) {
        if (!until.aborted) noted('The state of the local chain could not be kept; it is tried again.', error);
      }
    }
  };

  const first = start();
  let running = first;
  /** Restarts the chain until it is stopped. */
  const attend = async (): Promise<void> => {
    for (;;) {
      const { anvil } = await running;
      await Promise.all([anvil.gone, keepBlocks(anvil)]);
      if (signal.aborted) return;
      noted('The local chain ended by itself; it is started again from the last block that was kept.');
      await rested(restartMs, signal);
      if (signal.aborted) return;
      running = start();
    }
  };
  const attended = attend().catch((error: unknown) => {
    if (!signal.aborted) noted('The local chain does not run.', error);
  });

  return {
    url: async () => (await running).anvil.url,
    origin: async () => (await first).origin,
    stop: async () => {
      stopping.abort();
      const last = await running.catch(() => undefined);
      if (last) {
        const ended = await Promise.race([last.anvil.stop().then(() => true), wait(endMs, false, { ref: false })]);
        if (!ended) noted('The local chain did not end in time.');
      }
      await attended;
      if (last) await rm(runningFile(folder), { force: true });
    },
  };
};

/** @returns false if the signal ended the wait early */
const rested = (ms: number, signal: AbortSignal): Promise<boolean> =>
  wait(ms, true, { signal, ref: false }).catch(() => false);
