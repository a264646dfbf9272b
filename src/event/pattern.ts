import { RE2JS, RE2JSException } from 're2js';
import { invalidField } from '../error.js';

const MAX_PATTERN_BYTES = 1_024;
/** Instructions of the compiled pattern: a match takes at most this many steps for each character. */
const MAX_PROGRAM = 500;

/** A regular expression in RE2 syntax, whose matching takes linear time; it is searched for anywhere in a text. */
export interface Pattern {
  test(text: string): boolean;
}

/**
 * @param property of the request, for the error
 * @throws AppError `invalid` for a text that is no regular expression in RE2 syntax, or too large a one
 */
export const compilePattern = (text: string, property: string): Pattern => {
  if (Buffer.byteLength(text) > MAX_PATTERN_BYTES) {
    throw invalidField(property, `${property} must have at most ${MAX_PATTERN_BYTES} bytes.`);
  }
  try {
    const pattern = RE2JS.compile(text);
    if (pattern.programSize() <= MAX_PROGRAM) return pattern;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidField(property, `${property} is no regular expression in RE2 syntax: ${error.message}.`);
  }
  throw invalidField(property, `${property} is too large a regular expression: use smaller or fewer repetitions.`);
};
