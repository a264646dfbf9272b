/** Items of a list that stay, at the top of a response and further inside. */
const MAX_ITEMS = { top: 2, inner: 1 };
/** Levels of lists in lists that count as the top. */
const TOP_LISTS = 1;
/** Longest text; of data URIs and prose alike the beginning says enough. */
const MAX_TEXT = 280;
/** What reads as one word (bytes as hex digits, tokens) stays whole: cut, it would be another value. */
const WORD = /^[\w+/=.:-]+$/;
const MAX_WORD = 2000;

const shortenText = (text: string): string => {
  const limit = WORD.test(text) ? MAX_WORD : MAX_TEXT;
  return text.length <= limit ? text : `${[...text].slice(0, limit).join('')}…`;
};

const shortenIn = (value: unknown, lists: number): unknown => {
  if (typeof value === 'string') return shortenText(value);
  if (Array.isArray(value)) {
    const most = lists < TOP_LISTS ? MAX_ITEMS.top : MAX_ITEMS.inner;
    return value.slice(0, most).map((item) => shortenIn(item, lists + 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortenIn(member, lists)]));
};

/** @returns the response with one or two items in each list, and with the beginnings of long texts; plain text unchanged */
export const shorten = (response: unknown): unknown => (typeof response === 'string' ? response : shortenIn(response, 0));
