import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** What a hostile or broken server answers in place of a sound document. */
export interface HostileAnswer {
  readonly name: string;
  readonly body: string | Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const KIB = 1024;
/** More than any reader takes. */
const BOMB_BYTES = 128 * 1024 * KIB;

const fill = (unit: string, bytes: number): string => unit.repeat(Math.ceil(bytes / unit.length));
const many = (bytes: number, part: (n: number) => string): string => {
  const count = Math.ceil(bytes / part(1_000_000).length);
  return Array.from({ length: count }, (_, n) => part(n)).join();
};

/** Texts of JSON values that take the place of each value of a sound document. */
const VALUES: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '1e300',
  '1e-400',
  '9007199254740993',
  '9'.repeat(400),
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\u202e\\u0007"',
  '"NaN"',
  '"-1"',
  '"0x"',
  `"0x${'f'.repeat(60_000)}"`,
  '"__proto__"',
  '"constructor"',
  `"${'\\u0041\\ud83d\\ude00'.repeat(5_000)}"`,
  `"${' '.repeat(60_000)}x"`,
  '[]',
  '[null]',
  '[[[[[]]]]]',
  '{}',
  '{"toString":1,"valueOf":1,"toJSON":1}',
  '{"__proto__":null,"constructor":1}',
  '{"length":4294967295,"then":1}',
];

/** Members that objects of a document get in addition. */
const MEMBERS: readonly string[] = [
  '"__proto__":{"polluted":true}',
  '"constructor":{"prototype":{"polluted":true}}',
  '"toJSON":1,"toString":1,"valueOf":1,"hasOwnProperty":1,"then":1',
];

/** Stands for the text of a value in a document. */
const MARK = 'mark-of-a-place';

/** @returns the document with each of its values marked in turn, and that value */
const places = (value: unknown): (readonly [path: string, marked: unknown, value: unknown])[] => {
  const inner = (key: string | number, member: unknown, put: (marked: unknown) => unknown) =>
    places(member).map(([path, marked, of]) => [`.${key}${path}`, put(marked), of] as const);
  if (Array.isArray(value)) {
    // Items are alike: the first one stands for the others.
    const first = value.slice(0, 1).flatMap((item) => inner(0, item, (marked) => [marked, ...value.slice(1)]));
    return [['', MARK, value], ...first];
  }
  if (typeof value !== 'object' || value === null) return [['', MARK, value]];
  const members = Object.entries(value).flatMap(([key, member]) =>
    inner(key, member, (marked) => ({ ...value, [key]: marked })),
  );
  return [['', MARK, value], ...members];
};

const replaced = (marked: unknown, text: string): string => JSON.stringify(marked).replace(`"${MARK}"`, () => text);

/** Documents in which one value is another one than it should be. */
const changed = (good: unknown): HostileAnswer[] =>
  places(good).flatMap(([path, marked, value]) => {
    const text = JSON.stringify(value);
    const isObject = text.startsWith('{');
    const more = isObject && text !== '{}' ? MEMBERS.map((member) => `{${member},${text.slice(1)}`) : [];
    const twice = isObject && text !== '{}' ? [`{${text.slice(1, -1)},${text.slice(1)}`] : [];
    return [...VALUES, `[${text}]`, `{"value":${text}}`, JSON.stringify(text), ...more, ...twice].map((other) => ({
      name: `${path || 'all'} as ${other.slice(0, 60)}`,
      body: replaced(marked, other),
    }));
  });

/** Large values, of as many bytes: each kind costs a parser something else. */
const large = (bytes: number): readonly (readonly [name: string, text: string])[] => [
  ['empty lists', `[${fill('[],', bytes)}1]`],
  ['empty objects', `[${fill('{},', bytes)}1]`],
  ['numbers', `[${fill('1e308,', bytes)}1]`],
  ['objects of different shapes', `[${many(bytes, (n) => `{"k${n}":1}`)}]`],
  ['members', `{${many(bytes, (n) => `"k${n}":1`)}}`],
  ['one member again and again', `{${fill('"a":1,', bytes)}"a":1}`],
  ['nested lists', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
  ['nested objects', `${fill('{"a":', bytes / 2)}1${'}'.repeat(Math.ceil(bytes / 10))}`],
  ['nested lists without an end', '['.repeat(bytes)],
  ['one text', `"${fill('x', bytes)}"`],
  ['one text of escapes', `"${fill('\\ud800', bytes)}"`],
  ['one number', fill('9', bytes)],
  ['spaces', fill(' ', bytes)],
];

/** Documents that are large in one place, or altogether, and errors that say as much. */
function* oversized(good: unknown, bytes: number, isIn: (path: string) => boolean): Generator<HostileAnswer> {
  const marks = places(good).filter(([path]) => path === '' || isIn(path));
  for (const [name, text] of large(bytes)) {
    for (const [path, marked] of marks) {
      yield { name: `${path || 'all'} as ${bytes} bytes of ${name}`, body: replaced(marked, text) };
    }
    for (const status of [400, 500])
      yield { name: `status ${status} with ${bytes} bytes of ${name}`, status, body: text };
  }
}

/** Answers that are no document, or are sent in another way than announced. */
const garbled = (good: unknown): HostileAnswer[] => {
  const text = JSON.stringify(good);
  const other = (name: string, body: string | Buffer, headers: Record<string, string> = {}, status = 200) => ({
    name,
    body,
    headers,
    status,
  });
  return [
    other('nothing', ''),
    other('HTML', '<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' }),
    other('half a document', text.slice(0, text.length / 2)),
    other('two documents', text + text),
    other('a byte order mark', `\ufeff${text}`),
    other('UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')),
    other('bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    other('NUL characters', '\0'.repeat(1000)),
    other('no content type', text, { 'content-type': '' }),
    other('a content type of pictures', text, { 'content-type': 'image/png' }),
    other('a charset that nobody has', text, { 'content-type': 'application/json; charset=x-none' }),
    other('gzip that nobody asked for', gzipSync(text), { 'content-encoding': 'gzip' }),
    other('gzip that is none', text, { 'content-encoding': 'gzip' }),
    other('a bomb in gzip', bombs().gzip, { 'content-encoding': 'gzip' }),
    other('a bomb in Brotli', bombs().brotli, { 'content-encoding': 'br' }),
    other('a bomb that is packed twice', gzipSync(bombs().gzip), { 'content-encoding': 'gzip, gzip' }),
    ...[201, 204, 206, 304, 400, 401, 404, 408, 410, 418, 429, 500, 503].map((status) =>
      other(`status ${status}`, text, {}, status),
    ),
    other('a redirect', text, { location: '/' }, 302),
    other('a redirect to nowhere', text, { location: 'http://[' }, 308),
    other('Retry-After of ages', '{}', { 'retry-after': '9'.repeat(30) }, 429),
    other('Retry-After that is none', '{}', { 'retry-after': 'Thu, 99 Foo 10000 -1' }, 503),
  ];
};

let made: { readonly gzip: Buffer; readonly brotli: Buffer } | undefined;
const bombs = () => {
  made ??= { gzip: gzipSync(Buffer.alloc(BOMB_BYTES, ' ')), brotli: brotliCompressSync(Buffer.alloc(BOMB_BYTES, ' ')) };
  return made;
};

const bytesOf = ({ body, ...answer }: HostileAnswer): HostileAnswer & { readonly body: Buffer } => ({
  ...answer,
  body: Buffer.from(body),
});

/**
 * @param good a document as the reader takes it: each of its values is replaced in turn
 * @param options `sizes` of large answers in bytes: about the limit of the reader, and above; `isLarge` chooses the places
 *   that get a large value by their paths, such as `.result.0.data`
 * @returns hundreds of answers that take down, slow, or falsify what reads them, or could
 */
export function* hostileJson(
  good: unknown,
  { sizes, isLarge = () => true }: { readonly sizes: readonly number[]; readonly isLarge?: (path: string) => boolean },
): Generator<HostileAnswer & { readonly body: Buffer }> {
  for (const answer of changed(good)) yield bytesOf(answer);
  for (const answer of garbled(good)) yield bytesOf(answer);
  for (const bytes of sizes) for (const answer of oversized(good, bytes, isLarge)) yield bytesOf(answer);
}

/** Sends a hostile answer. */
export const sendHostile = (response: ServerResponse, { status = 200, headers, body }: HostileAnswer): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};
