/** The three parts of the API; each has a different error body. */
export type Family = 'v2' | 'portal' | 'hub';

/** @returns the family of a known or unknown path, by its first segment */
export const familyOf = (url: string): Family => {
  if (/^\/+v1(?:[/?#]|$)/.test(url)) return 'hub';
  return /^\/+portal(?:[/?#]|$)/.test(url) ? 'portal' : 'v2';
};
