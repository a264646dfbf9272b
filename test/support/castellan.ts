import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { embeddedFolder } from '../../src/db/data-folder.js';
import type { FileItem } from '../../src/ingest/file/format.js';
import { openFileWriter } from '../../src/ingest/file/write.js';
import { generateSampleNetwork, type SampleOptions } from '../../src/sample/network.js';
import { copyEmbeddedTemplate, createMigratedDatabase, databaseUrl, onServer } from './template.js';

const serverUrl = process.env.TEST_DATABASE_URL;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = `${ROOT}dist/cli/main.js`;

let building: Promise<unknown> | undefined;

/** Builds what {@link castellan} runs, once for all tests of this process. */
export const buildProgram = async (): Promise<void> => {
  building ??= promisify(execFile)(process.execPath, [`${ROOT}scripts/build.mjs`]);
  await building;
};

/** How a run of the program ended. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Castellan {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<Run>;
  /** Resolves when standard output contains the text; rejects if the process exits before. */
  shows(text: string): Promise<void>;
}

/** Environment of a run: none of this process's settings except those that programs need to start. */
const bare = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  CASTELLAN_EMBEDDED: 'true',
});

/** Starts the built program as a separate process. */
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

/** A development service as a separate process. */
export interface Service extends Castellan {
  readonly environment: Record<string, string>;
  /** Requests a path, with the generated key or another one. */
  get(path: string, key?: string): Promise<Response>;
}

/** A folder for one test file with its stores, and every process that was started on them. */
export class TestWorkspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'castellan-cli-'));
  readonly #running = new Set<Castellan>();
  readonly #databases: string[] = [];

  /** @returns the environment of an empty store: on the test server if there is one, else embedded. */
  async newStore(): Promise<Record<string, string>> {
    return this.#createStore(false);
  }

  async #createStore(migrated: boolean): Promise<Record<string, string>> {
    const id = randomBytes(4).toString('hex');
    // The sample belongs to the devnet, which commands only know from a development service's folder.
    const environment = {
      CASTELLAN_DATA_DIR: join(this.folder, id),
      CASTELLAN_HUB_NETWORK: 'devnet',
      CASTELLAN_VERIFY_THREADS: '1',
      // Few tests need the chain, and starting it takes time.
      CASTELLAN_LOCAL_CHAIN: 'off',
    };
    if (serverUrl === undefined) {
      if (migrated) await copyEmbeddedTemplate(embeddedFolder(environment.CASTELLAN_DATA_DIR));
      return environment;
    }
    const name = `castellan_cli_${id}`;
    if (migrated) await createMigratedDatabase(serverUrl, name);
    else await onServer(serverUrl, `create database ${name}`);
    this.#databases.push(name);
    return { ...environment, DATABASE_URL: databaseUrl(serverUrl, name) };
  }

  /** @returns the environment of a new store with the schema and no data. */
  async migratedStore(): Promise<Record<string, string>> {
    return this.#createStore(true);
  }

  start(args: readonly string[], environment: Record<string, string>, cwd?: string): Castellan {
    const started = startCastellan(args, environment, cwd);
    this.#running.add(started);
    void started.ended.then(() => this.#running.delete(started));
    return started;
  }

  /** Starts a development service without sample network, and waits until it is ready. */
  async startDev(store: Record<string, string>): Promise<Service> {
    const port = String(await freePort());
    const environment = { ...store, PORT: port, CASTELLAN_METRICS_PORT: 'off' };
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

  /** Stops all processes and removes everything. */
  async clear(): Promise<void> {
    for (const one of this.#running) one.child.kill('SIGKILL');
    await Promise.all([...this.#running].map((one) => one.ended));
    for (const name of this.#databases)
      await onServer(serverUrl as string, `drop database if exists ${name} with (force)`);
    rmSync(this.folder, { recursive: true });
  }
}
