/*
 * Views work on JSON as UTF-8 bytes, one character for each byte: texts stay one byte a character whatever they say, and
 * an answer is copied together instead of encoded. `toUtf8` is the way in, for everything that may hold other characters
 * than ASCII, and `toBytes` the way out.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/** @returns JSON as UTF-8, with one character for each byte */
export const toUtf8 = (json: string): string =>
  ASCII.test(json) ? json : Buffer.from(json, 'utf8').toString('latin1');

export const parseRendered = (rendered: string): unknown => JSON.parse(Buffer.from(rendered, 'latin1').toString());

/** @returns any value as JSON; `JSON.stringify` alone would leave characters that are no bytes */
export const renderJson = (value: unknown): string => toUtf8(JSON.stringify(value));

const NEEDS_NO_ESCAPE = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** @returns a text as JSON. Most texts need no escaping, and checking that is cheaper than `JSON.stringify`. */
export const quote = (text: string): string =>
  NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : toUtf8(JSON.stringify(text));

export const quoteOrNull = (text: string | null): string => (text === null ? 'null' : quote(text));

/** Responses are written here and then copied to buffers of their exact size; it grows to the largest response. */
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
 * @returns the same string in contiguous memory, for strings that are cached with entities: V8 stores a concatenated
 * string as a tree, which takes more than twice the memory, and twice the time to write
 */
export const flatten = (text: string): string => {
  const end = write(text, 0);
  return scratch.toString('latin1', 0, end);
};

/**
 * Assembles a response. Items are written one by one: joining them first would cost three times as much.
 * @returns the bytes of `start`, of the items separated by commas, and of `end`
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

/** @returns the last members of a paged list. @param cursor of the next page; null on the last one */
export const viewNext = (cursor: string | null): string => `"next":{"cursor":${quoteOrNull(cursor)}}`;
