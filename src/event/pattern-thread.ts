import { LRUCache } from 'lru-cache';
import { compilePattern, type Pattern } from './pattern.js';

/** Some patterns, each to be searched for in each of some texts. */
export interface PatternTask {
  readonly patterns: readonly string[];
  readonly texts: readonly string[];
}

/** Instructions of all patterns that stay compiled; more than the budget of all streams and webhooks. */
const MAX_COMPILED_SIZE = 200_000;
/** Bytes that the states of all compiled patterns may take after a task. */
const MAX_STATE_BYTES = 32 * 1024 * 1024;

const compiled = new LRUCache<string, Pattern>({
  maxSize: MAX_COMPILED_SIZE,
  sizeCalculation: ({ size }) => size,
});

const patternOf = (source: string): Pattern => {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  // It was compiled once before it was accepted.
  const pattern = compilePattern(source, 'pattern');
  compiled.set(source, pattern);
  return pattern;
};

/** What the thread does. @returns for each text the indexes of the patterns that occur in it */
export const findPatterns = ({ patterns, texts }: PatternTask): number[][] => {
  const all = patterns.map(patternOf);
  const found = texts.map((text) => all.flatMap(({ test }, index) => (test(text) ? [index] : [])));
  let bytes = 0;
  for (const { stateBytes } of compiled.values()) bytes += stateBytes();
  if (bytes > MAX_STATE_BYTES) for (const { forgetStates } of compiled.values()) forgetStates();
  return found;
};
