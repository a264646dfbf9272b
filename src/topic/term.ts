import { deu, ell, eng, fra, ita, nld, pol, por, rus, spa, swe, tur, ukr } from 'stopword';

/** Words that may be the subject of a cast. */
export interface Term {
  /** What all spellings have in common: letters and digits in lower case, without separators. */
  readonly key: string;
  /** As written, without `#`: `FarCon`, `New York`, `$DEGEN`. */
  readonly name: string;
}

/** Words without a subject of their own, in languages of the network that have capital letters. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  [eng, spa, por, fra, deu, ita, nld, pol, swe, tur, rus, ukr, ell].flat().map((word) => word.toLowerCase()),
);

const MAX_KEY = 50;
/** Two characters with a letter; one, where it is a word of its own (`猫`). */
const MIN_KEY = /^(?=.*\p{L})(?:..|\p{Script=Han})/su;
/** Only the first terms of a long cast count. */
const MAX_TERMS_PER_CAST = 20;
const LONGEST_PHRASE = 3;

const URLS = /https?:\/\/\S+/gi;
const TAGS = /(?<![\p{L}\p{M}\p{N}_#$&/@])(?:#[\p{L}\p{M}\p{N}_]+|\$\p{L}[\p{L}\p{M}\p{N}]+)(?![\p{L}\p{M}\p{N}_])/gu;
/**
 * Two or more capitalised words with one space between them. The text of a cast lacks the names of mentioned accounts,
 * which leaves two spaces, so words before and after a name are not taken for neighbours.
 */
const CAPITALISED =
  /(?<![\p{L}\p{M}\p{N}_#$@/'’.-])\p{Lu}[\p{L}\p{M}\p{N}]+(?: \p{Lu}[\p{L}\p{M}\p{N}]+)+(?![\p{L}\p{M}\p{N}_'’/-])/gu;

const ASCII = /^[A-Za-z0-9]+$/;

/** @returns the word in lower case; Latin letters without accents, and all others as they are */
const fold = (word: string): string => {
  if (ASCII.test(word)) return word.toLowerCase();
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return ASCII.test(plain) ? plain : word.toLowerCase();
};

/** @returns the words of a term's name as written, in lower case */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/^\$/, '')
    .toLowerCase()
    .split(/[ _]+/)
    .filter((word) => word !== '');

/** What a slug may hold. Letters without case (`東`) count as lower-case ones. */
export const SLUG = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}_]+$/u;

/** @returns the term's words joined by `_`: lower-case letters with their marks, digits and underscores */
export const slugOf = (name: string): string => wordsOf(name).map(fold).join('_');

const termOf = (name: string): Term | undefined => {
  const words = wordsOf(name);
  const [first = '', last = first] = [words[0], words.at(-1)];
  if (STOP_WORDS.has(first) || STOP_WORDS.has(last)) return undefined;
  const key = words.map(fold).join('');
  return MIN_KEY.test(key) && key.length <= MAX_KEY && SLUG.test(key) ? { key, name } : undefined;
};

/** @returns all runs of two and three neighbours */
const phrases = (run: string): string[] => {
  const words = run.split(' ');
  return words.flatMap((_, start) => {
    const found: string[] = [];
    for (let size = 2; size <= LONGEST_PHRASE && start + size <= words.length; size++) {
      found.push(words.slice(start, start + size).join(' '));
    }
    return found;
  });
};

/**
 * Finds hashtags, cashtags, and two or three capitalised words in a row. Terms that begin or end with a stop word are left
 * out.
 * @param text of a cast as in the protocol, without the names of mentioned accounts
 * @returns each term once, by key
 */
export const termsOf = (text: string): Term[] => {
  const written = text.normalize('NFKC');
  const plain = written.includes('://') ? written.replace(URLS, ' / ') : written;
  const tags = /[#$]/.test(plain) ? (plain.match(TAGS) ?? []).map((tag) => tag.replace(/^#/, '')) : [];
  const found = new Map<string, Term>();
  for (const name of [...tags, ...(plain.match(CAPITALISED) ?? []).flatMap(phrases)]) {
    const term = termOf(name);
    if (term !== undefined && !found.has(term.key)) found.set(term.key, term);
    if (found.size === MAX_TERMS_PER_CAST) break;
  }
  return [...found.values()];
};
