/**
 * Headers of every answer; one that may be kept or read otherwise sets its own.
 * - `nosniff`: a browser must not take JSON, which holds what strangers wrote, for a page or a program.
 * - `no-store`: what an answer says depends on the key that asked, and may be a token or a bill.
 */
export const DEFAULT_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
