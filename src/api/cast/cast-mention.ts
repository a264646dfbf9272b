import { invalidField } from '../../error.js';
import { nameTokens } from '../../hydrate/text-token.js';
import { CAST_TEXT_BYTES, MAX_BASENAME_BYTES, MAX_MENTIONS } from '../../protocol/limit.js';
import type { MentionedText } from '../../write/cast.js';

const MAX_TEXT_BYTES = Math.max(...CAST_TEXT_BYTES.map(({ max }) => max));
/** `@` and the longest username. */
const MAX_MENTION_BYTES = 1 + MAX_BASENAME_BYTES;

/**
 * @returns the distinct names that a text may mention, in lower case, whether or not accounts with these names exist
 * @throws AppError 'invalid' with property `text` for a text that is too long for a cast, before any name is looked up
 */
export const mentionableNames = (text: string): string[] => {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES + MAX_MENTIONS * MAX_MENTION_BYTES) {
    const limit = `at most ${MAX_TEXT_BYTES} bytes of UTF-8, without mentioned names`;
    throw invalidField('text', `text must have ${limit}; this has ${bytes} with them`);
  }
  return [...new Set(nameTokens(text).map(({ value }) => value))];
};

/**
 * Removes `@name` from a text for each name that belongs to an account; others stay text.
 * @param fids by name in lower case
 * @throws AppError 'invalid' with property `text` for more mentions than the protocol allows (10)
 */
export const extractMentions = (text: string, fids: ReadonlyMap<string, number>): MentionedText => {
  const mentions: number[] = [];
  const mentionsPositions: number[] = [];
  let plain = '';
  let copied = 0;
  let bytes = 0;
  for (const { value, start, end } of nameTokens(text)) {
    const fid = fids.get(value);
    if (fid === undefined) continue;
    const between = text.slice(copied, start);
    plain += between;
    bytes += Buffer.byteLength(between);
    copied = end;
    mentions.push(fid);
    mentionsPositions.push(bytes);
  }
  if (mentions.length > MAX_MENTIONS) {
    const message = `text mentions accounts ${mentions.length} times; a cast may do so ${MAX_MENTIONS} times`;
    throw invalidField('text', message);
  }
  return { text: plain + text.slice(copied), mentions, mentionsPositions };
};
