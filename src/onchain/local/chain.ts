import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTestClient, http, publicActions } from 'viem';
import { AppError } from '../../error.js';
import { type Anvil, startAnvil } from './anvil.js';
import { LocalState, type StateOrigin } from './state.js';
import { LOCAL_CHAIN } from '../network.js';
import type { LocalChainAddress } from '../networks.js';

/** The chain of the development profile: anvil, looked after. */
export interface LocalChain extends LocalChainAddress {
  /** @returns what became of the state that was kept before. @throws AppError when the chain did not start. */
  origin(): Promise<StateOrigin>;
  /** Ends it; its state is kept. */
  stop(): Promise<void>;
}

export interface LocalChainOptions {
  /** For its files; nothing else is in it. */
  readonly folder: string;
  /** Told, for an operator, when the chain ended by itself and whether it came back. */
  readonly noted: (message: string, error?: unknown) => void;
}

/** How often the chain is asked whether it has a new block, which is then kept. */
const LOOK_MS = 1000;
/** A large state takes long to write: the next time is this many times later, within reason. */
const REST_FACTOR = 10;
const MAX_REST_MS = 5000;
const RESTART_MS = 1000;
/** How long another chain may take to end in this folder, and this one to end at all. */
const END_MS = 5000;
const END_LOOK_MS = 50;

/** Speaks to the chain itself, with what only a development node can do. */
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

/** @returns whether the process is one of this folder's chains, and not another that was given its number. */
const isOurs = async (pid: number, file: string): Promise<boolean> => {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes(file);
};

/** What a running chain leaves in its folder for those that come after it. */
export interface RunningChain {
  /** Of the process that guards it. */
  readonly pid: number;
  readonly url: string;
}

const runningFile = (folder: string): string => join(folder, 'running.json');

/** @returns what the folder says of a chain that runs, or did when it was written. */
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
 * The chain of a service that was killed ends by itself, and writes its state as it does: two must never work in one
 * folder.
 * @throws AppError when the other one goes on
 */
const awaitEnd = async (folder: string, stateFile: string): Promise<void> => {
  const other = await readRunningChain(folder);
  if (!other) return;
  const until = performance.now() + END_MS;
  while (isAlive(other.pid)) {
    if (!(await isOurs(other.pid, stateFile))) return;
    if (performance.now() > until) {
      const message = `The local chain of another service runs in this data folder (process ${other.pid}): give this one a folder of its own with CASTELLAN_DATA_DIR.`;
      throw new AppError('conflict', 'LocalChainHeld', message);
    }
    await wait(END_LOOK_MS);
  }
};

/**
 * Starts the chain, in parallel to whatever the caller does: its address is a promise. It is started again when it
 * ends by itself, and ends with this process, however that ends.
 */
export const startLocalChain = ({ folder, noted }: LocalChainOptions): LocalChain => {
  const state = new LocalState(folder);
  const stopping = new AbortController();
  const { signal } = stopping;

  const start = async (): Promise<{ readonly anvil: Anvil; readonly origin: StateOrigin }> => {
    await awaitEnd(folder, state.file);
    let origin = await state.prepare();
    const anvil = await startAnvil({ stateFile: state.file }).catch(async (error: Error) => {
      // A file that is whole, but of another version: better a new chain, and the file under another name, than none.
      if (origin.kind === 'new' || !/--state|load state/i.test(error.message)) throw error;
      origin = await state.setAside();
      return startAnvil({ stateFile: state.file });
    });
    const running: RunningChain = { pid: anvil.pid, url: anvil.url };
    await writeFile(runningFile(folder), JSON.stringify(running), { mode: 0o600 });
    return { anvil, origin };
  };

  /** Keeps each new block, until the chain is gone. */
  const keepBlocks = async ({ url, gone }: Anvil): Promise<void> => {
    const client = localClient(url);
    const over = new AbortController();
    void gone.then(() => over.abort());
    const until = AbortSignal.any([over.signal, signal]);
    let kept = -1n;
    let rest = LOOK_MS;
    while (await rested(rest, until)) {
      try {
        const block = await client.getBlockNumber();
        if (block === kept) continue;
        const began = performance.now();
        await state.keep(await client.dumpState());
        kept = block;
        rest = Math.min(Math.max(LOOK_MS, (performance.now() - began) * REST_FACTOR), MAX_REST_MS);
      } catch (error) {
        if (!until.aborted) noted('The state of the local chain could not be kept; it is tried again.', error);
      }
    }
  };

  const first = start();
  let running = first;
  /** Starts it again for as long as nobody stops it. */
  const attend = async (): Promise<void> => {
    for (;;) {
      const { anvil } = await running;
      await Promise.all([anvil.gone, keepBlocks(anvil)]);
      if (signal.aborted) return;
      noted('The local chain ended by itself; it is started again from the last block that was kept.');
      await rested(RESTART_MS, signal);
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
        const ended = await Promise.race([last.anvil.stop().then(() => true), wait(END_MS, false, { ref: false })]);
        if (!ended) noted('The local chain did not end in time.');
      }
      await attended;
      if (last) await rm(runningFile(folder), { force: true });
    },
  };
};

/** @returns whether the time has passed, and not been cut short. */
const rested = (ms: number, signal: AbortSignal): Promise<boolean> =>
  wait(ms, true, { signal, ref: false }).catch(() => false);
