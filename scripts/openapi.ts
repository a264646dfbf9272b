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

/** @returns the document with one line for each example: indented, they would be half of the file */
const write = (document: object): string => {
  const lines: string[] = [];
  const mark = (name: string, value: unknown): unknown => {
    if (name !== 'sample' || typeof value !== 'object' || value === null || !('value' in value)) return value;
    return { value: `example ${lines.push(JSON.stringify(value.value)) - 1}` };
  };
  const text = JSON.stringify(document, mark, 2);
  return `${text.replaceAll(/"example (\d+)"/g, (_, index: string) => lines[Number(index)] as string)}\n`;
};

const wanted = write(buildDocument(operations, '/', 'neutral', await readResponseExamples()));
if (!process.argv.includes('--check')) await writeFile(OUTPUT, wanted);
else if ((await readFile(OUTPUT, 'utf8').catch(() => '')) !== wanted) {
  console.error('openapi.json does not match the operations: run `npm run openapi` and commit the result.');
  process.exitCode = 1;
}
