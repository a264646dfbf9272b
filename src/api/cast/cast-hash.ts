import Type from 'typebox';

const PATTERN = '^(0x)?[a-fA-F0-9]{40}$';

/** A cast's hash in a query; clients send it with and without 0x. */
export const castHash = Type.String({ pattern: PATTERN, description: '40 hex digits.' });

const HASH_DIGITS = 40;

/** @param valid a hash that was found to be one. @returns it as the store has it, lower case and without 0x. */
export const storedHash = (valid: string): string => valid.slice(-HASH_DIGITS).toLowerCase();

const HASH = new RegExp(PATTERN);

/** @returns the hash as the store has it, lower case and without 0x; undefined for anything else. */
export const readCastHash = (text: string): string | undefined => (HASH.test(text) ? storedHash(text) : undefined);
