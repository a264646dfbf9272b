import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { FileItem } from '../../src/ingest/file/format.js';
import { openFileWriter } from '../../src/ingest/file/write.js';
import { generateSampleNetwork, type SampleOptions } from '../../src/sample/network.js';

const serverUrl = process.env.TEST_DATABASE_URL;

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

/** A development service as a process of its own. */
export interface Service extends Castellan {
  readonly environment: Record<string, string>;
  /** Requests a path, with the generated key or another. */
  get(path: string, key?: string): Promise<Response>;
}

/** A folder for one test file, the stores in it, and every process that was started on them. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'castellan-cli-'));
  readonly #running = new Set<Castellan>();
  readonly #databases: string[] = [];

  /** @returns the environment of a store that nothing is in: on the test server where there is one, else embedded. */
  async freshStore(): Promise<Record<string, string>> {
    const id = randomBytes(4).toString('hex');
    // The sample is the devnet's, and nothing but a development service's folder tells a command so.
    const environment = {
      CASTELLAN_DATA_DIR: join(this.folder, id),
      HUB_NETWORK: 'devnet',
      VERIFY_THREADS: '1',
      // Few tests are about the chain, and each would pay for one.
      CASTELLAN_LOCAL_CHAIN: 'off',
    };
    if (serverUrl === undefined) return environment;
    const name = `castellan_cli_${id}`;
    await onServer(`create database ${name}`);
    this.#databases.push(name);
    return { ...environment, DATABASE_URL: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href };
  }

  /** @returns the environment of a new store that has the schema and nothing else. */
  async migratedStore(): Promise<Record<string, string>> {
    const environment = await this.freshStore();
    const { code, err } = await castellan(['migrate'], environment);
    if (code !== 0) throw new Error(`castellan migrate ended with ${code}: ${err}`);
    return environment;
  }

  start(args: readonly string[], environment: Record<string, string>, cwd?: string): Castellan {
    const started = startCastellan(args, environment, cwd);
    this.#running.add(started);
    void started.ended.then(() => this.#running.delete(started));
    return started;
  }

  /** Starts a development service without sample network, and waits until it can be used. */
  async startDev(store: Record<string, string>): Promise<Service> {
    const port = String(await freePort());
    const environment = { ...store, PORT: port, METRICS_PORT: 'off' };
    const started = this.start(['dev', '--no-sample'], environment);
    await started.shows('curl');
    const own = readFileSync(join(store.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8').trim();
    const get = (path: string, key = own) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': key } });
    return { ...started, environment, get };
  }

  /** Writes a small sample network to a file; @returns the file and the number of its items. */
  async writeSample(name: string, options: SampleOptions): Promise<{ readonly file: string; readonly items: number }> {
    const file = join(this.folder, name);
    const writer = openFileWriter(file, 'json');
    let items = 0;
    for await (const batch of generateSampleNetwork(options).items()) {
      for (const item of batch) await writer.write(item as FileItem);
      items += batch.length;
    }
    await writer.close();
    return { file, items };
  }

  /** Ends what still runs and removes everything. */
  async clear(): Promise<void> {
    for (const one of this.#running) one.child.kill('SIGKILL');
    await Promise.all([...this.#running].map((one) => one.ended));
    for (const name of this.#databases) await onServer(`drop database if exists ${name} with (force)`);
    rmSync(this.folder, { recursive: true });
  }
}

const onServer = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
};
