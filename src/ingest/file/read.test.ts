import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeMessage } from '../../protocol/wire/decode.js';
import { decodeEnvelope } from '../../protocol/wire/envelope.js';
import { author } from '../../sample/author.js';
import { type FileItem, lineOfItem, MAX_PIECE_BYTES, recordOfItem } from './format.js';
import { type FileEntry, readFileItems } from './read.js';
import { type FileEntryBytes, type FileSplitter, LineSplitter, RecordSplitter } from './split.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const alice = author({ seed: 'file-read', fid: 7, dataForm: 'data' });
const item = (text: string): FileItem => alice.cast({ text }).item as FileItem;
const texts = ['one', 'two é 🏴‍☠️', 'three'];
const lines = texts.map((text) => lineOfItem(item(text)));
const records = texts.map((text) => recordOfItem(item(text)));

let files = 0;
const entriesOf = async (content: string | Uint8Array): Promise<FileEntry[]> => {
  const path = join(folder, String(files++));
  writeFileSync(path, content);
  const entries: FileEntry[] = [];
  for await (const entry of readFileItems(path)) entries.push(entry);
  return entries;
};

/** The texts of the casts, and line and reason of each error. */
const summary = (entries: FileEntry[]): (string | undefined)[] =>
  entries.map((entry) => {
    if (!entry.ok) return `${entry.line} ${entry.reason}`;
    if (entry.item.kind !== 'message') return entry.item.kind;
    return decodeMessage(decodeEnvelope(entry.item.wire)).data.castAddBody?.text;
  });

const read = async (content: string | Uint8Array): Promise<unknown> => summary(await entriesOf(content));

describe('lines of JSON', () => {
  it('are read with or without a last line end', async () => {
    expect(await read(lines.join(''))).toEqual(texts);
    expect(await read(lines.join('').trimEnd())).toEqual(texts);
  });

  it('may have CRLF, empty lines and a byte order mark', async () => {
    const content = `\ufeff\r\n${lines.map((line) => line.replace('\n', '\r\n  \r\n')).join('\n')}\n`;
    expect(await read(content)).toEqual(texts);
  });

  it('that are invalid are reported with their number and skipped', async () => {
    const [one = '', two = '', three = ''] = lines;
    const content = Buffer.concat([
      Buffer.from(`${one}oops\n${two}{"data":{"type":"MESSAGE_TYPE_CAST_ADD"}}\n[]\n`),
      Buffer.from([0xff, 0xfe, 0x7b, 0x0a]),
      Buffer.from(three),
    ]);
    const entries = await entriesOf(content);
    expect(summary(entries)).toEqual([
      'one',
      '2 bad_json',
      texts[1],
      '4 bad_item',
      '5 bad_item',
      '6 bad_encoding',
      'three',
    ]);
    expect(entries[3]).toMatchObject({ detail: expect.stringContaining('data.castAddBody') });
  });

  it('that are too long are skipped', async () => {
    const [one = '', two = ''] = lines;
    const huge = `{"x":"${'x'.repeat(3 * MAX_PIECE_BYTES)}"}\n`;
    expect(await read(`${one}${huge}${two}${huge.trimEnd()}`)).toEqual(['one', '2 too_large', texts[1], '4 too_large']);
    const full = `${' '.repeat(MAX_PIECE_BYTES - one.length + 1)}${one}`;
    expect(await read(full + two)).toEqual(['one', texts[1]]);
    expect(await read(` ${full}${two}`)).toEqual(['1 too_large', texts[1]]);
  });

  it('show where the file was cut', async () => {
    const content = Buffer.from(lines.join(''));
    const cut = content.subarray(0, content.length - 20);
    expect(await read(cut)).toEqual([texts[0], texts[1], '3 truncated']);
  });
});

describe('records of protobuf', () => {
  it('are read', async () => {
    expect(await read(Buffer.concat(records))).toEqual(texts);
    expect(await read(Buffer.concat([recordOfItem(alice.register() as FileItem), ...records]))).toEqual([
      'onchain',
      ...texts,
    ]);
  });

  it('that are too long or empty are reported and skipped', async () => {
    const huge = Buffer.concat([Buffer.from('80808001', 'hex'), Buffer.alloc(2 ** 21, 1)]);
    const odd = Buffer.from('0308ff01', 'hex');
    const [one, two] = records as [Uint8Array, Uint8Array];
    expect(await read(Buffer.concat([one, huge, two, odd, one]))).toEqual([
      'one',
      '2 too_large',
      texts[1],
      '4 bad_item',
      'one',
    ]);
  });

  it('show where the file was cut, or damaged so that the next is not found', async () => {
    const [one, two] = records as [Uint8Array, Uint8Array];
    expect(await read(Buffer.concat([one, two.subarray(0, -1)]))).toEqual(['one', '2 truncated']);
    expect(await read(Buffer.concat([one, two.subarray(0, 1)]))).toEqual(['one', '2 truncated']);
    expect(await read(Buffer.concat([one, Buffer.alloc(8, 0xff), two]))).toEqual(['one', '2 bad_frame']);
    expect(await read(Buffer.concat([one, Buffer.from('ffffffff0f', 'hex')]))).toEqual([
      'one',
      '2 too_large',
      '3 truncated',
    ]);
  });
});

describe('compressed files', () => {
  it('are read in both formats, whatever their name', async () => {
    expect(await read(gzipSync(lines.join('')))).toEqual(texts);
    expect(await read(gzipSync(Buffer.concat(records)))).toEqual(texts);
    expect(await read(Buffer.concat(lines.map((line) => gzipSync(line))))).toEqual(texts);
  });

  it('may be followed by other bytes', async () => {
    const padded = Buffer.concat([gzipSync(lines.join('')), Buffer.alloc(200_000)]);
    expect(await read(padded)).toEqual(texts);
  });

  it('return everything before a cut or damage', async () => {
    const whole = gzipSync(lines.join(''));
    expect(await read(whole.subarray(0, -4))).toEqual([...texts, '4 truncated']);
    expect(await read(whole.subarray(0, 12))).toEqual(['1 truncated']);
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 10, 20);
    const entries = summary(await entriesOf(damaged));
    expect(entries.at(-1)).toMatch(/corrupt$/);
  });
});

describe('any file', () => {
  it('moves the count of bytes read up to its size', async () => {
    const many = lines.join('').repeat(2_000);
    for (const content of [Buffer.from(many), gzipSync(many)]) {
      const counts = (await entriesOf(content)).map((entry) => entry.bytes);
      expect(counts).toHaveLength(6_000);
      expect(counts.every((count, index) => count >= (counts[index - 1] ?? 0))).toBe(true);
      expect(counts.at(-1)).toBe(content.length);
    }
  });

  it('is distinguished from a missing one and a folder', async () => {
    const first = (path: string) => readFileItems(path).next();
    await expect(first(join(folder, 'none'))).rejects.toMatchObject({ kind: 'not_found', property: 'file' });
    await expect(first(folder)).rejects.toMatchObject({ kind: 'invalid', property: 'file' });
    expect(await read('')).toEqual([]);
  });

  it('can be left in the middle', async () => {
    const path = join(folder, 'left');
    writeFileSync(path, gzipSync(lines.join('').repeat(1_000)));
    for await (const entry of readFileItems(path)) if (entry.ok) break;
  });

  it('never throws because of its content, and finds valid lines after any bytes', async () => {
    const noise = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(noise, async (bytes) => {
        await entriesOf(bytes);
        await entriesOf(Buffer.concat([...records, bytes]));
        await entriesOf(Buffer.concat([Uint8Array.of(0x1f, 0x8b), bytes]));
        await entriesOf(Buffer.concat([gzipSync(lines.join('')), bytes]));
        const [one = '', two = ''] = lines;
        const entries = summary(await entriesOf(Buffer.concat([Buffer.from(one), bytes, Buffer.from(`\n${two}`)])));
        expect(entries[0]).toBe('one');
        expect(entries.at(-1)).toBe(texts[1]);
      }),
      { numRuns: 100 },
    );
  });
});

describe.each([
  ['lines', () => new LineSplitter(), Buffer.from(`${lines.join('')}\n\r\n${'x'.repeat(50)}`)],
  ['records', () => new RecordSplitter(), Buffer.concat([...records, Uint8Array.of(5, 1)])],
] as [string, () => FileSplitter, Buffer][])('%s', (_name, splitter, content) => {
  it('do not depend on the chunks of the file', () => {
    const cut = (chunks: Uint8Array[]): unknown[] => {
      const cutter = splitter();
      const copy = (piece: FileEntryBytes) =>
        'bytes' in piece ? { ...piece, bytes: Buffer.from(piece.bytes).toString() } : piece;
      return [...chunks.flatMap((chunk) => [...cutter.push(chunk)].map(copy)), ...[...cutter.end()].map(copy)];
    };
    const whole = cut([content]);
    const places = fc.array(fc.nat(content.length), { maxLength: 30 });
    fc.assert(
      fc.property(places, (at) => {
        const ends = [0, ...at.sort((a, b) => a - b), content.length];
        const chunks = ends.slice(1).map((end, index) => content.subarray(ends[index], end));
        expect(cut(chunks)).toEqual(whole);
      }),
    );
  });
});

const REAL = new URL('../../../../shared/data/mainnet-2024-04.ndjson', import.meta.url);

describe.skipIf(!existsSync(REAL))('the real messages', () => {
  it('are all read', async () => {
    let messages = 0;
    for await (const entry of readFileItems(REAL.pathname)) if (entry.ok && entry.item.kind === 'message') messages++;
    expect(messages).toBe(651);
  });
});
