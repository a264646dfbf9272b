import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { QueryConfig } from 'pg';
import { type Service, startService } from './service.js';

/** Marks a request whose statements are recorded. */
export const RECORD_HEADER = 'x-bench-record';

/** The statements of one page: those of a level were sent together, after the results of the previous level. */
export type RecordedPage = readonly (readonly QueryConfig[])[];

/** Recorded pages of each row. */
const PAGES = 500;
/** Warm-up requests, for statements that a process sends only once. */
const FIRST = 50;
const WAIT_MS = 20;

const parsePages = (text: string): RecordedPage[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => deserialize(Buffer.from(line, 'base64')) as RecordedPage);

/** @returns a line of a file of pages */
export const pageLine = (page: RecordedPage): string => `${serialize(page).toString('base64')}\n`;

/** Writes a file for `readPages`. */
export const writePages = (file: string, pages: readonly RecordedPage[]): Promise<void> =>
  writeFile(file, pages.map(pageLine).join(''));

/** @returns the pages of a file that `StatementRecorder` made */
export const readPages = async (file: string): Promise<RecordedPage[]> => parsePages(await readFile(file, 'utf8'));

/** Runs a service without caches and records the statements of requests, one request at a time. */
export class StatementRecorder {
  readonly #service: Service;
  readonly #folder: string;
  readonly #file: string;
  #files = 0;

  constructor(service: Service, folder: string, file: string) {
    this.#service = service;
    this.#folder = folder;
    this.#file = file;
  }

  /** @param environment of the service */
  static async start(environment: Readonly<Record<string, string>>): Promise<StatementRecorder> {
    const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
    const file = join(folder, 'current');
    const flags = ['--import', import.meta.resolve('tsx'), '--import', import.meta.resolve('./statement-recorder.ts')];
    const variables = { ...environment, CASTELLAN_CACHE_MB: '0', BENCH_STATEMENT_FILE: file };
    return new StatementRecorder(await startService(variables, flags), folder, file);
  }

  /** @returns a file with the statements of the first 500 of the paths, for `readPages` */
  async record(paths: readonly string[]): Promise<string> {
    for (const path of paths.slice(0, FIRST)) await this.#get(path, {});
    await writeFile(this.#file, '');
    const recorded = paths.slice(0, PAGES);
    for (const path of recorded) await this.#get(path, { [RECORD_HEADER]: '1' });
    // A page is recorded after its last byte was sent, possibly after it arrived here.
    while (parsePages(await readFile(this.#file, 'utf8')).length < recorded.length) {
      await new Promise((done) => setTimeout(done, WAIT_MS));
    }
    const file = join(this.#folder, String(this.#files++));
    await rename(this.#file, file);
    return file;
  }

  async #get(path: string, more: Readonly<Record<string, string>>): Promise<void> {
    const { port, apiKey } = this.#service;
    const headers = { 'x-api-key': apiKey, ...more };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`);
  }

  /** Stops the service; the files stay. */
  stop(): Promise<void> {
    return this.#service.stop();
  }

  removeFiles(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}
