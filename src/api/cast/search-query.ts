import { invalidField } from '../../error.js';
import { fromUnixMs, LATEST_TIME } from '../../protocol/time.js';

export interface SearchQuery {
  /** Text of a `tsquery`, in NFKC and with all words quoted, for `search_query` of the database. */
  readonly words: string;
  /** Inclusive, in protocol seconds; undefined: no limit. */
  readonly from: number | undefined;
  /** Exclusive, in protocol seconds; undefined: no limit. */
  readonly until: number | undefined;
}

type Node =
  | { readonly kind: 'words'; readonly text: string; readonly size: number }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'not'; readonly part: Node };

/** PostgreSQL limits the size of words (2 KB each), and its stack limits nesting. */
export const MAX_SEARCH_LENGTH = 500;
const MAX_SLOP = 3;
const MAX_SLOPPY_WORDS = 4;
/**
 * Maximum number of words in the `tsquery`, after phrases with `~` are expanded into all distances. Each word is
 * compared with each candidate cast, and the embedded database cannot interrupt a search: 6,000 words took seconds, 160
 * take at most 0.1 s among the 5,000 casts of the sample network. One phrase of four words with `~3` has 148.
 */
const MAX_WORDS = 160;

const TOKEN = /\s+|[()|+]|-(?=[^\s])|"[^"]*"?(?:~(\d+))?|[^\s()|"]+/gu;
/** Follows a lone dash, which negates nothing. */
const ENDS = /^\s?$/u;
const DATE = /^(before|after):(.+)$/i;

const refuse = (message: string) => invalidField('q', message);

const quote = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** A run of letters or of digits, which PostgreSQL reads as one word, or splits at combining marks. */
const PLAIN = /^(?:\p{L}[\p{L}\p{Nd}\p{M}]*|\d+)$/u;
/** Scripts of which `search_text` of the database takes each letter for a word. */
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tale}\p{scx=Talu}\p{scx=Lana}\p{scx=Tavt}]/u;

/**
 * @returns the maximum number of words that PostgreSQL makes of a text: several of `foo-bar`, a URL, a word in a script
 *   without spaces, and the like
 */
const sizeOf = (word: string): number =>
  PLAIN.test(word) && !SPACELESS.test(word) ? 1 + (word.match(/\p{M}/gu)?.length ?? 0) : [...word].length;

/** Words in this order; `slop` is the maximum number of other words between two neighbours. */
const phrase = (text: string, slop: number): Node | undefined => {
  const words = text.split(/\s+/u).filter((word) => HAS_WORD.test(word));
  if (words.length === 0) return undefined;
  if (slop > 0 && words.length > MAX_SLOPPY_WORDS) {
    throw refuse(`q: a phrase with ~ may have ${MAX_SLOPPY_WORDS} words at most`);
  }
  if (slop > MAX_SLOP) throw refuse(`q: the number after ~ may be ${MAX_SLOP} at most`);
  const distances = Array.from({ length: slop + 1 }, (_, index) => index + 1);
  const joined = words.map(quote).reduce((before, word) => {
    return `(${distances.map((distance) => `${before} <${distance}> ${word}`).join(' | ')})`;
  });
  const size = words.map(sizeOf).reduce((before, after) => (before + after) * distances.length);
  return { kind: 'words', text: joined, size };
};

/** PostgreSQL would drop text without such characters from the query, and the condition with it. */
const HAS_WORD = /[\p{L}\p{N}]/u;

const word = (text: string): Node | undefined => {
  if (/~\d*$/.test(text)) {
    throw refuse('q: ~ after a word (likeness) is not supported; use * at its end, or ~ after a "phrase"');
  }
  if (!HAS_WORD.test(text)) return undefined;
  const isPrefix = text.endsWith('*');
  const bare = isPrefix ? text.slice(0, -1) : text;
  return { kind: 'words', text: `${quote(bare)}${isPrefix ? ':*' : ''}`, size: sizeOf(bare) };
};

/** @returns protocol seconds. @param name `before` or `after`. @throws AppError 'invalid' with property `q` */
export const readTime = (name: string, text: string): number => {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i.test(text);
  const zoned = /T.*(Z|[+-]\d\d:\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = isTime ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(time)) throw refuse(`q: ${name.toLowerCase()}: needs a date or a date-time, as in 2025-04-20`);
  return Math.min(Math.max(fromUnixMs(time), 0), LATEST_TIME);
};

/** Reads one query leniently: what cannot be an operator is text, and unclosed brackets are closed at the end. */
class Reader {
  from: number | undefined;
  until: number | undefined;
  readonly #tokens: RegExpMatchArray[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = [...text.matchAll(TOKEN)].filter(
      ({ 0: token, index }) =>
        token.trim() !== '' && token !== '+' && !(token === '-' && ENDS.test(text[index + 1] ?? '')),
    );
  }

  read(): Node | undefined {
    const parts: Node[] = [];
    while (this.#at < this.#tokens.length) {
      const part = this.#either();
      if (part !== undefined) parts.push(part);
      // A closing bracket without an opening one is ignored.
      if (this.#tokens[this.#at]?.[0] === ')') this.#at++;
    }
    return join('and', parts);
  }

  #either(): Node | undefined {
    const parts: Node[] = [];
    do {
      const part = this.#all();
      if (part !== undefined) parts.push(part);
    } while (this.#take('|'));
    return join('or', parts);
  }

  #all(): Node | undefined {
    const parts: Node[] = [];
    for (;;) {
      const next = this.#tokens[this.#at]?.[0];
      if (next === undefined || next === '|' || next === ')') return join('and', parts);
      const part = this.#one();
      if (part !== undefined) parts.push(part);
    }
  }

  #one(): Node | undefined {
    if (this.#take('-')) {
      const next = this.#tokens[this.#at]?.[0];
      const part = next === undefined || next === '|' || next === ')' ? undefined : this.#one();
      return part && { kind: 'not', part };
    }
    if (this.#take('(')) {
      const part = this.#either();
      this.#take(')');
      return part;
    }
    const token = this.#tokens[this.#at++] as RegExpMatchArray;
    const [text, slop] = token;
    if (text.startsWith('"')) {
      return phrase(text.slice(1, text.lastIndexOf('"') || undefined), slop === undefined ? 0 : Number(slop));
    }
    const [, name, value] = DATE.exec(text) ?? [];
    if (name === undefined || value === undefined) return word(text.startsWith('+') ? text.slice(1) : text);
    const time = readTime(name, value);
    if (name.toLowerCase() === 'before') this.until = Math.min(time, this.until ?? time);
    else this.from = Math.max(time, this.from ?? time);
    return undefined;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at]?.[0] !== token) return false;
    this.#at++;
    return true;
  }
}

const join = (kind: 'and' | 'or', parts: readonly Node[]): Node | undefined =>
  parts.length > 1 ? { kind, parts } : parts[0];

/** Whether a cast must contain some word to match; otherwise the whole index would be read. */
const isAnchored = (node: Node): boolean => {
  if (node.kind === 'words') return true;
  if (node.kind === 'not') return false;
  return node.kind === 'and' ? node.parts.some(isAnchored) : node.parts.every(isAnchored);
};

const countWords = (node: Node): number => {
  if (node.kind === 'words') return node.size;
  if (node.kind === 'not') return countWords(node.part);
  return node.parts.reduce((sum, part) => sum + countWords(part), 0);
};

const write = (node: Node): string => {
  if (node.kind === 'words') return node.text;
  if (node.kind === 'not') return `!(${write(node.part)})`;
  return `(${node.parts.map(write).join(node.kind === 'and' ? ' & ' : ' | ')})`;
};

/**
 * Reads the query language of the contract: words that must all be present, `+` and, `|` or, `-` not, `"a phrase"`, `"a
 * phrase"~n` with up to n (3) other words between two neighbours, `prefix*`, `( )`, and `before:` and `after:` with a
 * date or a date-time (UTC by default; `before` is exclusive). `~n` after a word (fuzzy search) is not supported. Words of
 * scripts without spaces are phrases of their letters.
 * @throws AppError 'invalid' with property `q` for a query without a required word, for invalid syntax, and for a query
 *   that is too large
 */
export const readSearchQuery = (q: string): SearchQuery => {
  const text = q.normalize('NFKC');
  if (Math.max(q.length, text.length) > MAX_SEARCH_LENGTH)
    throw refuse(`q may have ${MAX_SEARCH_LENGTH} characters at most`);
  const reader = new Reader(text);
  const node = reader.read();
  if (node === undefined || !isAnchored(node)) {
    throw refuse('q must name a word that has to be there: alternatives and exclusions alone would find too much');
  }
  const words = countWords(node);
  if (words > MAX_WORDS) {
    throw refuse(
      `q comes to ${words} words, and may come to ${MAX_WORDS}: use fewer words, and fewer or shorter phrases with ~ ` +
        '(each word of them counts once for every combination of distances)',
    );
  }
  return { words: write(node), from: reader.from, until: reader.until };
};
