/** Longest text that is stored of a page. */
const MAX_LENGTH = 4096;

// C0 and C1 controls, and the marks that change the direction of the text around them.
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Unlike `cleanText`, which is for names, it keeps the joiners that some scripts and emoji need.
 * @returns untrusted text as one line without control characters, of at most 4096 characters; '' for anything else
 */
export const plainText = (value: unknown): string => {
  if (typeof value !== 'string') return '';
  const line = value
    .slice(0, 2 * MAX_LENGTH)
    .replace(CONTROLS, ' ')
    .trim();
  // Half of a surrogate pair cannot be stored.
  return line.slice(0, MAX_LENGTH).replace(/\p{Cs}/gu, '\ufffd');
};

/**
 * @param value an address as a page writes it, absolute or relative
 * @returns the absolute http or https address; undefined for any other text and for more than 4096 characters
 */
export const webAddress = (value: unknown, base: URL): string | undefined => {
  if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH || !URL.canParse(value, base.href))
    return undefined;
  const url = new URL(value, base);
  const isWeb = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
  return isWeb && url.href.length <= MAX_LENGTH ? url.href : undefined;
};
