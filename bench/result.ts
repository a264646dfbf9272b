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

/** Replaces the text between the marks of this kind of database. @throws if the marks are missing */
export const writeResults = async (kind: Target['kind'], text: string): Promise<void> => {
  const begin = `<!-- begin ${kind}: written by npm run bench -- --write -->`;
  const end = `<!-- end ${kind} -->`;
  const old = await readFile(FILE, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`bench/RESULTS.md lacks the marks ${begin} and ${end}`);
  await writeFile(FILE, `${old.slice(0, from + begin.length)}\n\n${text}\n\n${old.slice(to)}`);
};
