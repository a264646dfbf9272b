import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from './operation-list.js';

const SRC = new URL('../', import.meta.url);
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('onchain/artifact/'));
const texts = new Map(files.map((file) => [file, readFileSync(new URL(file, SRC), 'utf8')]));

/** English words, which stand in many files. */
const WORDS = ['billing', 'usage', 'upgrade'];

it('an operation has a file of its name, and is named in two others at most', () => {
  for (const { id } of operations) {
    expect(files.filter((file) => file.startsWith('api/') && basename(file, '.ts') === id.toLowerCase())).toHaveLength(
      1,
    );
    if (WORDS.includes(id)) continue;
    const name = new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'i');
    const naming = files.filter((file) => name.test(texts.get(file) as string));
    expect(naming.length, naming.join()).toBeLessThanOrEqual(3);
  }
});
