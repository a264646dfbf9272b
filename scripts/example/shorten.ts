/** A list at the top has a second item if the first is at most that long as JSON; lists further inside have one. */
const MAX_BEFORE_SECOND = 700;
/** Longest text; of data URIs and prose alike the beginning says enough. */
const MAX_TEXT = 280;
/** What reads as one word (bytes as hex digits, tokens) stays whole: cut, it would be another value. */
const WORD = /^[\w+/=.:-]+$/;
const MAX_WORD = 2000;

const shortenText = (text: string): string => {
  const limit = WORD.test(text) ? MAX_WORD : MAX_TEXT;
  return text.length <= limit ? text : `${[...text].slice(0, limit).join('')}…`;
};

const shortenIn = (value: unknown, isInList = false): unknown => {
  if (typeof value === 'string') return shortenText(value);
  if (Array.isArray(value)) {
    const items = value.slice(0, 2).map((item) => shortenIn(item, true));
    return isInList || JSON.stringify(items[0] ?? null).length > MAX_BEFORE_SECOND ? items.slice(0, 1) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortenIn(member, isInList)]));
};

/** @returns the response with one or two items in each list, and with the beginnings of long texts; plain text unchanged */
export const shorten = (response: unknown): unknown => (typeof response === 'string' ? response : shortenIn(response));
