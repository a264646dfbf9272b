import { burstOf } from './burst.js';
import { type Term, termsOf } from './term.js';

export interface CountedCast {
  readonly fid: number;
  /** Hex without 0x. */
  readonly hash: string;
  readonly text: string;
  /** 0: the last 24 hours; 1: the 24 hours before, and so on. */
  readonly day: number;
}

/** A term in the casts of the last day; the arrays are parallel, in the order of the casts. */
interface Occurrences {
  readonly fids: number[];
  /** Numbers of the casts, in their order. */
  readonly casts: number[];
  readonly names: string[];
}

/** A term that more authors use than before. */
export interface Burst {
  readonly key: string;
  readonly strength: number;
  /** Spellings, the most frequent first. */
  readonly names: readonly string[];
  /** Numbers of the casts of the last day that have the term. */
  readonly casts: ReadonlySet<number>;
  /** Of the latest casts, the latest first. */
  readonly hashes: readonly string[];
  /** Without duplicates, the latest first. */
  readonly authors: readonly number[];
}

/** Fewer authors are no topic of the network. */
const MIN_AUTHORS = 5;
/** Limits of memory: beyond the first, terms that only one author has used so far are forgotten. */
const MAX_TERMS = 200_000;
const MAX_CANDIDATES = 5000;
const MAX_NAMES = 3;
const LATEST_CASTS = 20;
const LATEST_AUTHORS = 20;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isOfOneAuthor = ({ fids }: Occurrences): boolean => fids.every((fid) => fid === fids[0]);

/** @returns the items without duplicates, the last first */
const latest = <T>(items: readonly T[], limit: number): T[] => [...new Set(items.toReversed())].slice(0, limit);

/**
 * Counts terms in casts of eight days. Each author counts once for each term and day, so that nobody can lift a topic
 * alone. First all casts of the last day are added, then, after `selectCandidates`, those of the seven days before; both
 * in order of time.
 */
export class TermCounter {
  readonly #today = new Map<string, Occurrences>();
  readonly #hashes: string[] = [];
  readonly #authorsToday = new Set<number>();
  /** By candidate and author: the day of the author's last use. */
  readonly #before = new Map<string, { uses: number; readonly lastDay: Map<number, number> }>();
  readonly #lastDay = new Map<number, number>();
  #authorDaysBefore = 0;

  addToday({ fid, hash, text }: CountedCast): void {
    this.#authorsToday.add(fid);
    const terms = termsOf(text);
    if (terms.length === 0) return;
    const cast = this.#hashes.push(hash) - 1;
    for (const term of terms) this.#addTerm(term, fid, cast);
    if (this.#today.size > MAX_TERMS) this.#forgetRare();
  }

  #addTerm({ key, name }: Term, fid: number, cast: number): void {
    const found = this.#today.get(key);
    if (found === undefined) {
      this.#today.set(key, { fids: [fid], casts: [cast], names: [name] });
      return;
    }
    found.fids.push(fid);
    found.casts.push(cast);
    found.names.push(name);
  }

  #forgetRare(): void {
    for (const [key, occurrences] of this.#today) if (isOfOneAuthor(occurrences)) this.#today.delete(key);
  }

  /** Keeps the terms that enough authors used today; only these are counted in earlier days. */
  selectCandidates(): void {
    const candidates = [...this.#today]
      .map(([key, { fids }]) => ({ key, authors: new Set(fids).size }))
      .filter(({ authors }) => authors >= MIN_AUTHORS)
      .sort((a, b) => b.authors - a.authors || compare(a.key, b.key))
      .slice(0, MAX_CANDIDATES);
    for (const { key } of candidates) this.#before.set(key, { uses: 0, lastDay: new Map() });
  }

  addBefore({ fid, text, day }: CountedCast): void {
    if (this.#lastDay.get(fid) !== day) {
      this.#lastDay.set(fid, day);
      this.#authorDaysBefore++;
    }
    for (const { key } of termsOf(text)) {
      const candidate = this.#before.get(key);
      if (candidate === undefined || candidate.lastDay.get(fid) === day) continue;
      candidate.lastDay.set(fid, day);
      candidate.uses++;
    }
  }

  /** @returns the candidates that burst, the strongest first; equal ones by key */
  bursts(): Burst[] {
    const bursts: Burst[] = [];
    for (const [key, { uses }] of this.#before) {
      const { fids, casts, names } = this.#today.get(key) as Occurrences;
      const today = { count: new Set(fids).size, of: this.#authorsToday.size };
      const strength = burstOf(today, { count: uses, of: this.#authorDaysBefore });
      if (strength === 0) continue;
      const hashes = latest(casts, LATEST_CASTS).map((cast) => this.#hashes[cast] as string);
      const authors = latest(fids, LATEST_AUTHORS);
      bursts.push({ key, strength, names: byFrequency(names), casts: new Set(casts), hashes, authors });
    }
    return bursts.sort((a, b) => b.strength - a.strength || compare(a.key, b.key));
  }
}

const byFrequency = (names: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([a, more], [b, less]) => less - more || compare(a, b))
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
};

/**
 * Leaves out each burst that shares at least half of its casts with a stronger one: they are about the same.
 * @param bursts the strongest first
 */
export const mergeBursts = (bursts: readonly Burst[], limit: number): Burst[] => {
  const merged: Burst[] = [];
  for (const burst of bursts) {
    if (merged.length === limit) break;
    const isPart = merged.some(({ casts }) => {
      let shared = 0;
      for (const cast of burst.casts) if (casts.has(cast)) shared++;
      return shared * 2 >= burst.casts.size;
    });
    if (!isPart) merged.push(burst);
  }
  return merged;
};
