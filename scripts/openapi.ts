/**
 * Writes `openapi.json` from the operations of the interface and the examples of their responses.
 *
 *   tsx scripts/openapi.ts           writes the file
 *   tsx scripts/openapi.ts --check   exits 1 when the file on disk differs
 */
import { readFile, writeFile } from 'node:fs/promises';
import { buildDocument } from '../src/api/openapi/document.js';
import { readResponseExamples } from '../src/api/openapi/response-example.js';
import { operations } from '../src/api/operation-list.js';

const OUTPUT = new URL('../openapi.json', import.meta.url);

const document = buildDocument(operations, '/', 'neutral', await readResponseExamples());
const wanted = `${JSON.stringify(document, null, 2)}\n`;
if (!process.argv.includes('--check')) await writeFile(OUTPUT, wanted);
else if ((await readFile(OUTPUT, 'utf8').catch(() => '')) !== wanted) {
  console.error('openapi.json does not match the operations: run `npm run openapi` and commit the result.');
  process.exitCode = 1;
}
