import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCommands } from './command-list.js';
import { createProgram, ENV_FILE } from './program.js';

/** The program as it is started, and the help that it prints. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-example-'));
  writeFileSync(join(folder, 'key.txt'), '2b'.repeat(32));
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (): Command => createProgram({}, () => undefined);

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

const nameOf = (command: Command): string =>
  command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim();

/** @returns the whole help, which `helpInformation` gives without what stands after it */
const helpOf = (command: Command): string => {
  let text = '';
  command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
  return text;
};

const examplesOf = (command: Command): string[] => {
  const [, examples = ''] = helpOf(command).split('\nExamples:\n');
  return [...examples.matchAll(/^ {2}# \S.*\n {2}(.*castellan .*)$/gm)].map(([, line]) => line as string);
};

/** @returns the words of a line for a shell that stand between `castellan` and a pipe, a redirection or the end of `$(...)` */
const wordsOf = (line: string): string[] => {
  const [typed = ''] = (line.split('castellan ')[1] ?? '').split(/ [|>] |\)$/);
  return [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
};

const names = leavesOf(start()).map(nameOf);
const examples = leavesOf(start()).flatMap((command) => examplesOf(command).map((line) => [nameOf(command), line]));

test('every command on the stored data is one of the program', () => {
  expect(names).toEqual(expect.arrayContaining(allCommands.map(({ name }) => name)));
  expect(names).toEqual(expect.arrayContaining(['dev', 'serve', 'init', 'redirect', 'mcp', 'version']));
});

test('the help lists commands under headings', () => {
  const help = helpOf(start());
  expect(help.match(/^\S.*:$/gm)).toEqual([
    'Options:',
    'Run:',
    'Set up:',
    'Data:',
    'Accounts and signers:',
    'Organizations and keys:',
    'Events and deliveries:',
    'Channels and mini apps:',
    'Look after it:',
    'Programs:',
  ]);
  expect(help).toMatch(/\nData:\n {2}import .*\n(.+\n)+\n/);
});

test.each(names)('the help of %s ends with two examples, one of them its own', (name) => {
  const lines = examples.filter(([of]) => of === name).map(([, line]) => line as string);
  expect(lines).toHaveLength(2);
  expect(new Set(lines).size).toBe(2);
  expect(lines[0]).toContain(`castellan ${name}`);
});

describe('the example', () => {
  test.each(examples)('of %s can be typed: %s', async (_name, line) => {
    const program = start();
    const typed: Command[] = [];
    for (const leaf of leavesOf(program)) leaf.action(() => void typed.push(leaf));
    const words = wordsOf(line as string);
    const at = words.indexOf(ENV_FILE);
    await program.parseAsync(at < 0 ? words : words.toSpliced(at, 2), { from: 'user' });
    const [command] = typed as [Command];
    const definition = allCommands.find(({ name }) => name === nameOf(command));
    const invocation = { args: command.processedArgs, options: command.opts(), cwd: folder, environment: {} };
    expect(() => definition?.input?.(invocation)).not.toThrow();
  });
});
