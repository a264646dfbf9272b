/**
 * Writes docs/coverage.md: the state of every operation of the contract, and its test.
 *
 *   tsx scripts/coverage.ts           writes the file
 *   tsx scripts/coverage.ts --check   exits 1 when the file on disk differs
 */
import { readFile, writeFile } from 'node:fs/promises';
import { operations } from '../src/api/operation-list.js';
import { wirePaths } from '../src/schema/wire-names.js';
import { caseList } from '../test/conformance/case-list.js';
import { testName } from '../test/conformance/test-name.js';
import { contractOperations } from '../test/support/contract-operation.js';

const OUTPUT = new URL('../docs/coverage.md', import.meta.url);

const built = new Set(operations.map(({ id }) => id));
const tests = new Map(
  Object.entries(caseList).flatMap(([file, cases]) =>
    cases.map((one) => [one.id, `\`test/conformance/${file}.test.ts\`: ${testName(one)}`] as const),
  ),
);

const rows = contractOperations.map(({ id, method, path }) => {
  const paths = wirePaths(path).map((spelling) => `\`${method} ${spelling}\``);
  return `| \`${id}\` | ${paths.join('<br>')} | ${built.has(id) ? 'works' : '501'} | ${tests.get(id) ?? ''} |`;
});
const reasons = Object.values(caseList).flatMap((cases) =>
  cases.flatMap(({ id, beyond = {}, unsent = {} }) =>
    [...Object.entries(beyond), ...Object.entries(unsent)].map(([what, why]) => `| \`${id}\` | ${what} | ${why} |`),
  ),
);
const works = contractOperations.filter(({ id }) => built.has(id)).length;

const wanted = `<!-- Written by scripts/coverage.ts from the code and its tests. Do not edit. -->
# Coverage

${works} of the ${contractOperations.length} operations of the contract work. The tests call the running
service through the public client \`@neynar/nodejs-sdk\`, send every parameter, read lists to their end, provoke every
documented status, and validate each response.

| Operation | Paths | State | Test |
|---|---|---|---|
${rows.join('\n')}

## Documented, but not tested

| Operation | What | Why |
|---|---|---|
${reasons.join('\n')}
`;

if (!process.argv.includes('--check')) await writeFile(OUTPUT, wanted);
else if ((await readFile(OUTPUT, 'utf8').catch(() => '')) !== wanted) {
  console.error(
    'docs/coverage.md does not match the code and its tests: run `npm run coverage` and commit the result.',
  );
  process.exitCode = 1;
}
