import { type AppError, invalidField } from '../../error.js';

/** NUL, which PostgreSQL cannot store in a text, and lone surrogates, which have no UTF-8 encoding. */
const UNFIT = /[\0\p{Cs}]/u;

/** @returns whether any text in the value has such a character */
export const isUnfit = (value: unknown): boolean => {
  if (typeof value === 'string') return UNFIT.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => UNFIT.test(name) || isUnfit(member));
};

export const unstorable = (property: string): AppError =>
  invalidField(property, `${property} must be text without the character NUL and without halves of characters`);

/** @throws AppError invalid for a member that PostgreSQL cannot store */
export const requireStorableText = (body: Readonly<Record<string, string>>): void => {
  const found = Object.entries(body).find(([name, text]) => isUnfit(text) || isUnfit(name));
  if (found) throw unstorable(found[0]);
};
