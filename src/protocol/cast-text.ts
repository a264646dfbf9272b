/** Range of a name in a text in UTF-16 units, `end` exclusive, as in `String.prototype.slice`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface PlacedName {
  /** Without the `@`. */
  readonly name: string;
  /** UTF-8 byte offset into the text without names. */
  readonly position: number;
}

const bytesOf = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : 3);

/** Steps through a text by characters, counting UTF-8 bytes and UTF-16 units. */
class Walk {
  unit = 0;
  byte = 0;

  constructor(readonly text: string) {}

  /** Advances to the last character boundary at or before this byte offset. */
  to(position: number): void {
    const { text } = this;
    while (this.unit < text.length) {
      const code = text.charCodeAt(this.unit);
      const next = text.charCodeAt(this.unit + 1);
      const isPair = code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000;
      const bytes = isPair ? 4 : bytesOf(code);
      if (this.byte + bytes > position) return;
      this.byte += bytes;
      this.unit += isPair ? 2 : 1;
    }
  }
}

/**
 * Inserts `@name` into a text at the positions of its mentions.
 *
 * The protocol's text does not contain the mentions and counts positions in UTF-8 bytes
 * (protocol specification, CastAddBody.mentions_positions). The result counts in UTF-16 units, so that
 * `text.slice(start, end)` is the `@name` in JavaScript.
 * A position inside a character counts as the character's beginning, one beyond the end as the end.
 *
 * @param text the protocol's text
 * @param names in any order of positions; names at one position keep their order
 * @returns the text with names, and one range for each entry of `names`, in its order. Never throws.
 */
export const castText = (text: string, names: readonly PlacedName[]): { text: string; ranges: Range[] } => {
  if (names.length === 0) return { text, ranges: [] };
  const order = names.map((_, index) => index);
  const placeOf = (index: number): number => (names[index] as PlacedName).position;
  order.sort((a, b) => placeOf(a) - placeOf(b));
  const walk = new Walk(text);
  const ranges: Range[] = new Array(names.length);
  let result = '';
  let copied = 0;
  for (const index of order) {
    const { name, position } = names[index] as PlacedName;
    walk.to(position);
    result += text.slice(copied, walk.unit);
    copied = walk.unit;
    const start = result.length;
    result += `@${name}`;
    ranges[index] = { start, end: result.length };
  }
  return { text: result + text.slice(copied), ranges };
};
