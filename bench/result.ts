import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { NetworkSize } from './network-plan.js';
import type { Target } from './target.js';

const FILE = new URL('RESULTS.md', import.meta.url);

/**
 * @returns a paragraph with the conditions of a run; call it at the beginning, so that the load is that of other
 *   processes
 */
export const describeRun = (target: Target, size: NetworkSize, connections: number): string => {
  const { accounts, casts, reactions, links } = size;
  const count = (value: number): string => value.toLocaleString('en-US');
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB,`,
    `Node ${process.version}, ${target.version}; load of the machine before the run ${load}.`,
    `Network: ${count(accounts)} accounts, ${count(casts)} casts, ${count(reactions)} reactions, ${count(links)} links.`,
    `Reads at ${connections} connections. ${new Date().toISOString().slice(0, 10)}.`,
  ].join(' ');
};

/** @returns the text before, between and after the marks of this kind of database. @throws if the marks are missing */
const splitResults = async (kind: Target['kind']): Promise<readonly [string, string, string]> => {
  const begin = `<!-- begin ${kind}: written by npm run bench -- --write -->`;
  const end = `<!-- end ${kind} -->`;
  const text = await readFile(FILE, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`bench/RESULTS.md lacks the marks ${begin} and ${end}`);
  return [text.slice(0, from + begin.length), text.slice(from + begin.length, to), text.slice(to)];
};

/** @returns what the last run with `--write` measured on this kind of database, in Markdown */
export const readResults = async (kind: Target['kind']): Promise<string> => (await splitResults(kind))[1];

/** Replaces what the last run measured on this kind of database. */
export const writeResults = async (kind: Target['kind'], text: string): Promise<void> => {
  const [before, , after] = await splitResults(kind);
  await writeFile(FILE, `${before}\n\n${text}\n\n${after}`);
};
