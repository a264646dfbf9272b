import { RE2JS, RE2JSException } from 're2js';
import { invalidField } from '../error.js';

/** Longest pattern, in bytes of UTF-8. */
const MAX_BYTES = 1_024;
/** Instructions that a pattern may have beyond its length in UTF-16 units; only counted repetitions need more. */
const SPARE_INSTRUCTIONS = 256;
/** Estimated instructions from which a pattern is refused without compiling it, which could take seconds. */
const MAX_ESTIMATE = 20_000;
/**
 * Bytes that the states of one pattern may take; the library's own limit is 8 MiB. Ordinary patterns need a few KiB; the
 * search for others goes on without states sooner when they may have few.
 */
const MAX_STATE_BYTES = 65_536;

/** A regular expression in RE2 syntax that is searched for in time linear to the text. */
export interface Pattern {
  /** @returns whether the pattern occurs anywhere in the text */
  readonly test: (text: string) => boolean;
  /** Instructions of its program: a search takes at most a step for each of them and each character. */
  readonly size: number;
  /** @returns bytes of the states that searches have left in memory */
  readonly stateBytes: () => number;
  /** Frees the states. */
  readonly forgetStates: () => void;
}

const QUOTED = /\\Q.*?(?:\\E|$)/;
const ESCAPED = /\\(?:[pPx]\{[^}]*\}|.)/;
const CLASS = /\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]/;
const REPETITION = /\{(?<least>\d+)(?:,(?<most>\d*))?\}/;
const TOKEN = new RegExp([QUOTED, ESCAPED, CLASS, REPETITION, /./].map(({ source }) => source).join('|'), 'gsu');

/**
 * Estimates the instructions of a pattern from its counted repetitions, which multiply when they are nested.
 * @returns at least half of the real number for every valid pattern
 */
const estimatedSize = (source: string): number => {
  const outer: number[] = [];
  let size = 0;
  let last = 0;
  for (const { 0: token, groups } of source.matchAll(TOKEN)) {
    if (token === '(') {
      outer.push(size);
      size = 0;
    } else if (token === ')') {
      last = size + 2;
      size = (outer.pop() ?? 0) + last;
    } else if (groups?.least !== undefined) {
      const added = last * (Math.max(Number(groups.least), Number(groups.most || 0), 1) - 1);
      size += added;
      last += added;
    } else {
      last = 1;
      size += token.startsWith('\\Q') ? token.length : 1;
    }
  }
  return size;
};

/**
 * @param source in RE2 syntax (https://github.com/google/re2/wiki/Syntax)
 * @param property names the pattern in errors
 * @throws AppError `invalid` if the pattern does not compile, is longer than 1 KiB or becomes too large a program
 */
export const compilePattern = (source: string, property: string): Pattern => {
  if (Buffer.byteLength(source) > MAX_BYTES) {
    throw invalidField(property, `A regular expression may have at most ${MAX_BYTES} bytes; split it over webhooks.`);
  }
  const tooLarge = () =>
    invalidField(
      property,
      'The counted repetitions of this regular expression make it too large; use smaller counts, or * and + instead.',
    );
  if (estimatedSize(source) > MAX_ESTIMATE) throw tooLarge();
  const compiled = compile(source, property);
  const size = compiled.programSize();
  if (size > source.length + SPARE_INSTRUCTIONS) throw tooLarge();
  // Set before the first search: the library has no option for it outside of sets of patterns.
  const { dfa } = compiled.re2Input;
  dfa.stateBudget = MAX_STATE_BYTES;
  dfa.memBudget = MAX_STATE_BYTES;
  return {
    test: (text) => compiled.test(text),
    size,
    stateBytes: () => dfa.stateBudget - dfa.memBudget,
    forgetStates: () => dfa.clearCache(),
  };
};

const compile = (source: string, property: string): RE2JS => {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const problem = error.message.replace(/^error parsing regexp: /, '');
    throw invalidField(
      property,
      `This is not a regular expression in RE2 syntax: ${problem}. RE2 has neither lookaround nor backreferences.`,
    );
  }
};
