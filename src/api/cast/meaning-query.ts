import { invalidField } from '../../error.js';
import { MAX_SEARCH_LENGTH, readTime } from './search-query.js';

export interface MeaningQuery {
  /** What is looked for, in words; never empty. */
  readonly text: string;
  /** Inclusive, in protocol seconds; undefined: no limit. */
  readonly from: number | undefined;
  /** Exclusive, in protocol seconds; undefined: no limit. */
  readonly until: number | undefined;
}

const DATE = /(?<!\S)(before|after):(\S+)/gi;

/**
 * Reads a search by meaning: free text, in which only `before:` and `after:` have a meaning of their own.
 * @throws AppError 'invalid' with property `q`
 */
export const readMeaningQuery = (q: string): MeaningQuery => {
  if (q.length > MAX_SEARCH_LENGTH) throw invalidField('q', `q may have ${MAX_SEARCH_LENGTH} characters at most`);
  const times = { before: [] as number[], after: [] as number[] };
  for (const [, name = '', value = ''] of q.matchAll(DATE)) {
    times[name.toLowerCase() as 'before' | 'after'].push(readTime(name, value));
  }
  const text = q.replace(DATE, ' ').trim().replace(/\s+/g, ' ');
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)) throw invalidField('q', 'q must say what to look for');
  return {
    text,
    from: times.after.length > 0 ? Math.max(...times.after) : undefined,
    until: times.before.length > 0 ? Math.min(...times.before) : undefined,
  };
};
