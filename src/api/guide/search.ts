import { type PageGroup, PROJECT_GROUP } from './page-list.js';
import type { Section } from './section.js';

/** Longest text that is searched for, in characters; a longer one is an error of the request. */
export const MAX_QUERY_LENGTH = 100;
/** Further words of a query are ignored. */
const MAX_WORDS = 8;
export const MAX_HITS = 20;
const EXCERPT_LENGTH = 180;
/** Occurrences of a word in a section that count. */
const MAX_OCCURRENCES = 4;

/** A section as it is searched. */
export interface IndexedSection extends Section {
  readonly lowerTitle: string;
  readonly lowerHeading: string;
  readonly lowerText: string;
  /** What its page adds to its score: guides come before the reference, and lists that programs write come last. */
  readonly weight: number;
}

/** A section with all words of the query. */
export interface Hit {
  readonly section: Section;
  /** What stands around the first of the words. Alternately without and with a word of the query, beginning without. */
  readonly excerpt: readonly string[];
}

export interface SearchResult {
  /** The best ones, best first. */
  readonly hits: readonly Hit[];
  /** How many sections have all words. */
  readonly total: number;
}

/** @returns the sections with all that a search compares, made once */
export const indexSections = (
  sections: readonly Section[],
  groups: readonly PageGroup[],
): readonly IndexedSection[] => {
  const groupOf = new Map(groups.flatMap(({ title, names }) => names.map((name) => [name, title])));
  const weightOf = (name: string): number => {
    const group = groupOf.get(name);
    if (group === undefined || group === PROJECT_GROUP) return -6;
    return group === 'Guides' ? 6 : 0;
  };
  return sections.map((section) => ({
    ...section,
    lowerTitle: section.page.title.toLowerCase(),
    lowerHeading: section.heading.toLowerCase(),
    lowerText: section.text.toLowerCase(),
    weight: weightOf(section.page.name),
  }));
};

const wordsOf = (query: string): readonly string[] => [
  ...new Set(query.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)),
];

const countOccurrences = (text: string, word: string): number => {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < MAX_OCCURRENCES; at = text.indexOf(word, at + word.length))
    count += 1;
  return count;
};

/** @returns 0 if a word is nowhere in the section */
const scoreOf = (section: IndexedSection, words: readonly string[]): number => {
  let score = 0;
  for (const word of words) {
    const found =
      (section.lowerHeading.includes(word) ? 10 : 0) +
      (section.lowerTitle.includes(word) ? 4 : 0) +
      countOccurrences(section.lowerText, word);
    if (found === 0) return 0;
    score += found;
  }
  return Math.max(1, score + section.weight);
};

/** Splits a text at words of the query, without a regular expression of a stranger's text. */
const markWords = (text: string, words: readonly string[]): string[] => {
  const lower = text.toLowerCase();
  // A few letters change their length in lower case; then nothing is marked.
  if (lower.length !== text.length) return [text];
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const next = words
      .map((word) => ({ at: lower.indexOf(word, from), length: word.length }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.length - a.length)[0];
    if (next === undefined) return [...parts, text.slice(from)];
    parts.push(text.slice(from, next.at), text.slice(next.at, next.at + next.length));
    from = next.at + next.length;
  }
};

const excerptOf = ({ text, lowerText }: IndexedSection, words: readonly string[]): readonly string[] => {
  const places = words.map((word) => lowerText.indexOf(word)).filter((at) => at >= 0);
  const around = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - EXCERPT_LENGTH / 3);
  const start = around === 0 ? 0 : text.indexOf(' ', around) + 1;
  const cut = text.slice(start, start + EXCERPT_LENGTH);
  const end = start + cut.length < text.length ? cut.lastIndexOf(' ') : cut.length;
  const shown = end > 0 ? cut.slice(0, end) : cut;
  const [first = '', ...others] = markWords(shown, words);
  const whole = [`${start > 0 ? '… ' : ''}${first}`, ...others];
  return start + shown.length < text.length ? [...whole.slice(0, -1), `${whole.at(-1)} …`] : whole;
};

/**
 * Finds the sections that have all words of a query, as parts of words and in any case. Its time is that of reading the
 * documentation once for each word, whatever the query is.
 * @param query at most {@link MAX_QUERY_LENGTH} characters
 */
export const searchSections = (sections: readonly IndexedSection[], query: string): SearchResult => {
  const words = wordsOf(query);
  if (words.length === 0) return { hits: [], total: 0 };
  const found = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return {
    hits: found.slice(0, MAX_HITS).map(({ section }) => ({ section, excerpt: excerptOf(section, words) })),
    total: found.length,
  };
};
