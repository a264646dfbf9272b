import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = `${ROOT}dist/cli/main.js`;

/** Builds what {@link castellan} runs. */
export const buildProgram = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [`${ROOT}scripts/build.mjs`]);
};

/** How a run of the program ended. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Castellan {
  readonly child: ChildProcess;
  /** What it has written so far. */
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<Run>;
  /** Resolves when standard output holds the text; fails when the process ends before. */
  shows(text: string): Promise<void>;
}

/** Environment of a run: nothing of this process's own settings but what programs need to start. */
const bare = (): Record<string, string> => ({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' });

/** Starts the built program as a process of its own. */
export const startCastellan = (
  args: readonly string[],
  environment: Record<string, string>,
  cwd?: string,
): Castellan => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...bare(), ...environment },
    ...(cwd ? { cwd } : {}),
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  const shows = async (text: string): Promise<void> => {
    const over = new AbortController();
    void ended.then(() => over.abort());
    while (!out.includes(text)) {
      if (over.signal.aborted) throw new Error(`it ended before it showed "${text}":\n${out}\n${err}`);
      await Promise.race([once(child.stdout, 'data'), ended]);
    }
  };
  return { child, out: () => out, err: () => err, ended, shows };
};

/** Runs the built program to its end. */
export const castellan = (args: readonly string[], environment: Record<string, string>, cwd?: string): Promise<Run> =>
  startCastellan(args, environment, cwd).ended;

/** @returns a TCP port that nothing listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
};
