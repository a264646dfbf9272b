import Type from 'typebox';

const PATTERN = '^(0x)?[a-fA-F0-9]{40}$';

/** Schema of a cast hash in a query, with or without 0x. */
export const castHash = Type.String({ pattern: PATTERN, description: '40 hex digits.' });

const HASH_DIGITS = 40;

/** @param valid a valid hash. @returns the form in which hashes are stored: lower case, without 0x */
export const storedHash = (valid: string): string => valid.slice(-HASH_DIGITS).toLowerCase();

const HASH = new RegExp(PATTERN);

/** @returns the hash in lower case without 0x; undefined for invalid text */
export const readCastHash = (text: string): string | undefined => (HASH.test(text) ? storedHash(text) : undefined);
