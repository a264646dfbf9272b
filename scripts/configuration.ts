/**
 * Writes docs/configuration.md from the environment variables of src/config/variable.ts.
 *
 *   tsx scripts/configuration.ts           writes the file
 *   tsx scripts/configuration.ts --check   exits 1 when the file on disk differs
 */
import { readFile, writeFile } from 'node:fs/promises';
import { VARIABLE_GROUPS } from '../src/config/variable.js';
import type { Variable } from '../src/config/variable-row.js';

const FILE = new URL('../docs/configuration.md', import.meta.url);

const HEAD = `# Configuration

<!-- written by scripts/configuration.ts: change src/config/variable.ts and run \`npm run configuration\` -->

Castellan is configured with environment variables, which it reads once at the start. An empty variable counts as absent.
All invalid variables are reported together, and the process exits with status 2. Where a command has an option for a
variable, the option takes precedence. Commands that change stored data need the same variables as the service.

A default in two parts is that of \`castellan serve\`, followed by that of \`castellan dev\`.
`;

const groups: Readonly<Record<string, Readonly<Record<string, Variable<unknown>>>>> = VARIABLE_GROUPS;
const sections = Object.entries(groups).map(([title, variables]) => {
  const rows = Object.entries(variables).map(
    ([name, { defaultText, description }]) => `| \`${name}\` | ${defaultText} | ${description} |`,
  );
  return [`## ${title}`, '', '| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
});

const wanted = [HEAD, ...sections].join('\n');
if (!process.argv.includes('--check')) await writeFile(FILE, wanted);
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== wanted) {
  console.error('docs/configuration.md is out of date: run `npm run configuration` and commit the result.');
  process.exitCode = 1;
}
