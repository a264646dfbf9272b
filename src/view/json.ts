/*
 * Views work on JSON as UTF-8 bytes, one character for each byte: texts stay one byte a character whatever they say, and
 * an answer is copied together instead of encoded. `toUtf8` is the way in, for everything that may hold other characters
 * than ASCII, and `toBytes` the way out.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** @returns a JSON text as UTF-8, one character for each byte */
export const toUtf8 = (json: string): string =>
  ASCII.test(json) ? json : Buffer.from(json, 'utf8').toString('latin1');

/** @returns the value of a rendered text */
export const parseRendered = (rendered: string): unknown => JSON.parse(Buffer.from(rendered, 'latin1').toString());

const NEEDS_NO_ESCAPE = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** @returns a text as JSON. Most texts are plain, and a look whether one is costs less than `JSON.stringify`. */
export const quote = (text: string): string =>
  NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : toUtf8(JSON.stringify(text));

/** @returns a text or null as JSON. */
export const quoteOrNull = (text: string | null): string => (text === null ? 'null' : quote(text));

/** Where answers are written before they are copied to memory of their own size; it grows to the largest. */
let scratch = Buffer.allocUnsafeSlow(1024 * 1024);

const write = (text: string, at: number): number => {
  const end = at + text.length;
  if (end > scratch.length) {
    const larger = Buffer.allocUnsafeSlow(2 * end);
    scratch.copy(larger, 0, 0, at);
    scratch = larger;
  }
  scratch.write(text, at, 'latin1');
  return end;
};

/**
 * @returns the same text in one piece of memory, for texts that stay with entities: V8 keeps a concatenated text as the
 *   tree of its parts, which takes more than twice the memory, and twice the time whenever it is written
 */
export const flatten = (text: string): string => {
  const end = write(text, 0);
  return scratch.toString('latin1', 0, end);
};

/**
 * Puts an answer together. Items are written one by one: joined to one long text they would cost three times as much.
 * @returns the bytes of `start`, of the items with commas between them, and of `end`
 */
export const toBytes = (start: string, items: readonly string[], end: string): Buffer => {
  let at = write(start, 0);
  for (let index = 0; index < items.length; index++) {
    if (index > 0) at = write(',', at);
    at = write(items[index] as string, at);
  }
  at = write(end, at);
  const bytes = Buffer.allocUnsafeSlow(at);
  scratch.copy(bytes, 0, 0, at);
  return bytes;
};

/** @returns the members that end a list in pages. @param cursor of the next page; null: there is none */
export const viewNext = (cursor: string | null): string => `"next":{"cursor":${quoteOrNull(cursor)}}`;
