/** Fails when a folder under `src` or a file of it has grown too large to find one's way in. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files directly in one folder; tests are not counted. */
const MAX_FILES = 30;
const MAX_LINES = 400;
/** Files that a generator writes. */
const GENERATED = /^(store\/(tables|statement-types)|api\/operation-list|onchain\/artifact\/.*)\.ts$/;

const source = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);

const filesByFolder = new Map<string, number>();
for (const file of files) filesByFolder.set(dirname(file), (filesByFolder.get(dirname(file)) ?? 0) + 1);

const problems = [...filesByFolder]
  .filter(([, count]) => count > MAX_FILES)
  .map(([folder, count]) => `src/${folder} has ${count} files, more than ${MAX_FILES}: split it by subject.`);
for (const file of files.filter((name) => !GENERATED.test(name))) {
  const lines = readFileSync(join(source, file), 'utf8').split('\n').length - 1;
  if (lines > MAX_LINES) problems.push(`src/${file} has ${lines} lines, more than ${MAX_LINES}.`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
