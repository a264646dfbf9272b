/** Characters that begin or separate values, by the work of a parser: creating objects and lists is most of it. */
const MARKS = [
  ['{', 4],
  ['[', 4],
  [',', 1],
] as const;

/**
 * @returns whether JSON has at most this many values; a list or an object counts as four, and these characters count within
 *   strings, too
 */
export const hasFewValues = (body: Buffer, maxValues: number): boolean => {
  let count = 0;
  for (const [mark, weight] of MARKS) {
    const byte = mark.charCodeAt(0);
    for (let at = body.indexOf(byte); at !== -1; at = body.indexOf(byte, at + 1)) {
      count += weight;
      if (count > maxValues) return false;
    }
  }
  return true;
};

/**
 * Parses a large JSON document of another program. `JSON.parse` takes a millisecond or two for a megabyte of text, but a
 * hundred for as many small values, during which the event loop is blocked.
 * @throws SyntaxError; RangeError for more than `maxValues`, counted as by `hasFewValues`
 */
export const parseJson = (body: Buffer, maxValues: number): unknown => {
  if (!hasFewValues(body, maxValues)) throw new RangeError(`the document has more than ${maxValues} values`);
  return JSON.parse(body.toString());
};
