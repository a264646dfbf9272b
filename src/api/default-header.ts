/**
 * Headers of every response that does not set its own.
 * - `nosniff`: browsers must not interpret JSON, which has untrusted content, as a page or a script.
 * - `no-store`: responses depend on the API key, and may contain a token or a bill.
 */
export const DEFAULT_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
