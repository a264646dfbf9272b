import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { author } from '../../sample/author.js';
import { type FileItem, lineOfItem } from './format.js';
import { readFileItems } from './read.js';
import { openFileWriter } from './write.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const alice = author({ seed: 'file-write', fid: 7 });
const items = [
  alice.register(),
  ...Array.from({ length: 1_000 }, (_, n) => alice.cast({ text: `${n} ${'é'.repeat(n % 100)}` }).item),
  await alice.fnameProof('alice'),
] as FileItem[];

const readBack = async (path: string): Promise<unknown[]> => {
  const found: unknown[] = [];
  for await (const entry of readFileItems(path)) found.push(entry.ok ? lineOfItem(entry.item as FileItem) : entry);
  return found;
};

describe.each([
  ['a.ndjson', 'json'],
  ['a.ndjson.gz', 'json'],
  ['a.pb', 'protobuf'],
  ['a.pb.gz', 'protobuf'],
] as const)('%s', (name, format) => {
  it('restores what was written', async () => {
    const path = join(folder, name);
    const writer = openFileWriter(path, format);
    for (const item of items) await writer.write(item);
    expect(readdirSync(folder)).not.toContain(name);
    await writer.close();
    expect(await readBack(path)).toEqual(items.map(lineOfItem));
    expect(readFileSync(path).subarray(0, 2).equals(Uint8Array.of(0x1f, 0x8b))).toBe(name.endsWith('.gz'));
  });

  it('leaves no file after an abort', async () => {
    const writer = openFileWriter(join(folder, `left-${name}`), format);
    for (const item of items) await writer.write(item);
    await writer.abort();
    expect(readdirSync(folder).filter((file) => file.startsWith('left'))).toEqual([]);
  });
});

it('reports a file that cannot be written', async () => {
  const writer = openFileWriter(join(folder, 'none', 'a.ndjson'), 'json');
  await writer.write(items[0] as FileItem);
  await expect(writer.close()).rejects.toMatchObject({ code: 'ENOENT' });
  await writer.abort();
});
