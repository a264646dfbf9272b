const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const broken = (): Error => new Error('The list is not valid JSON, or ends early.');

/** @returns the position behind a string whose first quote is at `start` */
const afterString = (json: Buffer, start: number): number => {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  throw broken();
};

const afterSpace = (json: Buffer, start: number): number => {
  let at = start;
  while (isSpace(json[at])) at++;
  return at;
};

/**
 * Finds the items of `{"result": {"<name>": [...]}}` without parsing them, so that a list of 60 MB neither blocks the
 * process nor is in memory as objects.
 * @returns the start and the end of each item, in bytes; the items themselves may still be invalid
 * @throws Error if brackets or quotes do not match, or there is no such list
 */
export function* itemsOf(json: Buffer, name: string): Generator<readonly [start: number, end: number]> {
  /** The brackets around the position, each by the one that closes it. */
  const open: number[] = [];
  const key = Buffer.from(JSON.stringify(name));
  let isFound = false;
  let isInside = false;
  /** Whether a comma was passed. */
  let isLater = false;
  let start = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) {
      const end = afterString(json, at);
      const isKey = open.length === 2 && !isFound && key.equals(json.subarray(at, end));
      at = end - 1;
      if (!isKey) continue;
      const colon = afterSpace(json, end);
      const list = afterSpace(json, colon + 1);
      if (json[colon] !== COLON || json[list] !== OPEN_LIST) continue;
      isFound = true;
      isInside = true;
      open.push(CLOSE_LIST);
      at = list;
      start = list + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      open.push(byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (isInside && open.length === 3) {
        // Only an empty list has nothing here.
        if (isLater || afterSpace(json, start) < at) yield [start, at];
        isInside = false;
      }
      if (open.pop() !== byte) throw broken();
    } else if (byte === COMMA && isInside && open.length === 3) {
      yield [start, at];
      start = at + 1;
      isLater = true;
    }
  }
  if (!isFound || open.length > 0) throw broken();
}
