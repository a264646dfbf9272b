const MIN_SECONDS = 60;
const MAX_SECONDS = 3_600;

const secondsOf = (cacheControl: string, directive: string): number | undefined => {
  const text = new RegExp(`(?:^|,)\\s*${directive}\\s*=\\s*"?(\\d{1,10})"?\\s*(?:,|$)`, 'i').exec(cacheControl)?.[1];
  return text === undefined ? undefined : Number(text);
};

/**
 * @param headers of a response, with names in lower case
 * @returns seconds for which a response may be cached according to its headers (RFC 9111), at least a minute and at
 *   most an hour; the minute also applies to `no-store`, so that events cannot cause a request each
 */
export const freshSeconds = (headers: Readonly<Record<string, string>>): number => {
  const cacheControl = headers['cache-control'] ?? '';
  const isShort = /(?:^|,)\s*(?:no-store|no-cache|private)\s*(?:[,=]|$)/i.test(cacheControl);
  const maxAge = isShort ? 0 : (secondsOf(cacheControl, 's-maxage') ?? secondsOf(cacheControl, 'max-age') ?? 0);
  const age = /^\d{1,10}$/.test(headers.age ?? '') ? Number(headers.age) : 0;
  return Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, maxAge - age));
};
