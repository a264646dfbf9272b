/** The three parts of the interface; each has an error body of its own. */
export type Family = 'v2' | 'portal' | 'hub';

/** @returns the family that an address belongs to, known or not, by its first segment. */
export const familyOf = (url: string): Family => {
  if (/^\/+v1(?:[/?#]|$)/.test(url)) return 'hub';
  return /^\/+portal(?:[/?#]|$)/.test(url) ? 'portal' : 'v2';
};
