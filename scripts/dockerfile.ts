/** Holds the Dockerfile against the builder's rules; exits 1 and names the lines when it breaks one. */
import { readFile } from 'node:fs/promises';
import { validate } from 'dockerfile-utils';

const text = await readFile(new URL('../Dockerfile', import.meta.url), 'utf8');
for (const { message, range } of validate(text)) {
  console.error(`Dockerfile:${range.start.line + 1}: ${message}`);
  process.exitCode = 1;
}
