import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { redirectModule } from '../../src/cli/redirect.js';

/** What a call of a program came to: what it returned, or the message of its error. */
export type Outcome = { readonly value: unknown } | { readonly error: string };

/** @returns whether each call was answered, for `recordRun` */
export const answeredOf = (outcomes: Readonly<Record<string, Outcome>>): Readonly<Record<string, boolean>> =>
  Object.fromEntries(Object.entries(outcomes).map(([name, outcome]) => [name, !('error' in outcome)]));

interface Surroundings {
  /** More variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Runs Node.js with the printed redirect module, so that the packages of a program, which are unmodified, call this service
 * instead of the vendor.
 * @param args the file of the program, and its arguments
 * @returns what it wrote to standard output
 * @throws Error with what it wrote to standard error, if it fails
 */
export const runRedirected = async (
  url: string,
  args: readonly string[],
  { environment = {}, cwd }: Surroundings = {},
): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-program-'));
  try {
    const redirect = join(folder, 'redirect.mjs');
    await writeFile(redirect, await redirectModule(url));
    const child = spawn(process.execPath, ['--import', pathToFileURL(redirect).href, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      ...(cwd === undefined ? {} : { cwd }),
    });
    const [printed, complaint, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ]);
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${complaint}`);
    return printed;
  } finally {
    await rm(folder, { recursive: true });
  }
};

/**
 * Runs a program of this folder.
 * @param input what the program gets as JSON in INPUT
 * @param environment more variables of its environment
 * @returns what it printed, one JSON object of outcomes by call
 * @throws Error with what it wrote to standard error, if it fails
 */
export const runProgram = async (
  program: string,
  url: string,
  input: object,
  environment: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, Outcome>>> => {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const printed = await runRedirected(url, [file], { environment: { INPUT: JSON.stringify(input), ...environment } });
  return JSON.parse(printed) as Readonly<Record<string, Outcome>>;
};
