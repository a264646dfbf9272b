/**
 * Writes docs/hub-cases.md, the table of what the tests of other hubs ask, from test/peer-case.
 *
 *   tsx scripts/hub-cases.ts           writes the file
 *   tsx scripts/hub-cases.ts --check   exits 1 when the file on disk differs
 */
import { readFile, writeFile } from 'node:fs/promises';
import { CHANNELS, HUBBLE, SNAPCHAIN } from '../test/peer-case/list.js';
import { renderCases } from '../test/peer-case/table.js';

const FILE = new URL('../docs/hub-cases.md', import.meta.url);

const wanted = renderCases([...SNAPCHAIN, ...CHANNELS, ...HUBBLE]);
if (!process.argv.includes('--check')) await writeFile(FILE, wanted);
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== wanted) {
  console.error('docs/hub-cases.md is out of date: run `npm run hub-cases` and commit the result.');
  process.exitCode = 1;
}
