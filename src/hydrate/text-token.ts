/** A range of a text; `start` and `end` (exclusive) are UTF-16 units, as in `String.prototype.slice`. */
export interface TextToken {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/*
 * Names and ids are ASCII. A Latin letter beside one belongs to the same word ("@josé" is not "@jos"); a letter of
 * another script does not: "@skiff님", "東京@skiff". After a dot any letter counts, because it may be a domain.
 */
const CHANNEL = /(?<=^|[\s([{"'])\/([a-z0-9][a-z0-9_-]{0,63})(?![\p{Script=Latin}\p{M}0-9_/-]|\.[\p{L}\p{N}])/gu;
const NAME =
  /(?<![\p{Script=Latin}0-9_@./-]\p{M}*)@([a-zA-Z0-9][a-zA-Z0-9-]{0,63}(?:(?:\.[a-zA-Z0-9][a-zA-Z0-9-]{0,63}){0,3}\.[eE][tT][hH])?)(?![\p{Script=Latin}\p{M}0-9_@-]|\.[\p{L}\p{N}_-])/gu;

const tokens = (text: string, sign: string, pattern: RegExp): readonly TextToken[] => {
  if (!text.includes(sign)) return NONE;
  return Array.from(text.matchAll(pattern), (match) => ({
    value: (match[1] as string).toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
};

const NONE: readonly TextToken[] = [];

/**
 * Finds possible channel names: `/channel-id` at the start or after a space, bracket or quote, unless a path begins
 * with it. `value` is the id, whether or not such a channel exists.
 */
export const channelTokens = (text: string): readonly TextToken[] => tokens(text, '/', CHANNEL);

/**
 * Finds possible account names: `@name` or `@name.eth`, but not inside a word, an e-mail or web address, nor before a
 * second `@` (`@name@host` is an address of another network). Letters with combining marks end a name.
 * `value` is in lower case.
 */
export const nameTokens = (text: string): readonly TextToken[] => tokens(text, '@', NAME);
