/**
 * Writes src/api/openapi/response-example.json: a response of every operation, as a development service with the sample
 * network gives it. An example that differs from the new response only in times, ids and the like stays as it is.
 *
 *   tsx scripts/examples.ts           asks a service, and writes the file
 *   tsx scripts/examples.ts --fresh   also replaces what differs only in times and ids
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { ResponseExamples } from '../src/api/openapi/response-example.js';
import { buildProgram } from '../test/support/castellan.js';
import { recordExamples } from './example/record.js';
import { startSampleService } from './example/sample-service.js';
import { isSameButVolatile } from './example/shape.js';

const OUTPUT = new URL('../src/api/openapi/response-example.json', import.meta.url);

const readPresent = async (): Promise<ResponseExamples> => {
  if (process.argv.includes('--fresh')) return {};
  return JSON.parse(await readFile(OUTPUT, 'utf8').catch(() => '{}')) as ResponseExamples;
};

await buildProgram();
const service = await startSampleService();
const { examples, refused } = await recordExamples(service).finally(service.stop);
const leaked = service.secrets.filter((secret) => JSON.stringify(examples).includes(secret));
if (leaked.length > 0) throw new Error('a key of the service is in its responses');

const present = await readPresent();
const kept = Object.entries(examples).map(([id, example]) => {
  const before = present[id];
  return [id, before !== undefined && isSameButVolatile(before, example) ? before : example] as const;
});
// One line for each operation.
const lines = kept.map(([id, example]) => `  ${JSON.stringify(id)}: ${JSON.stringify(example)}`);
await writeFile(OUTPUT, `{\n${lines.join(',\n')}\n}\n`);
if (refused.length > 0) {
  console.error(refused.join('\n'));
  process.exitCode = 1;
}
