import { UsageError } from '../terminal/command.js';

const MAX_NAME = 100;

/** @returns the name without space around it. @throws UsageError for an empty or too long one */
export const readName = (text: unknown): string => {
  const name = String(text).trim();
  if (name === '' || name.length > MAX_NAME) throw new UsageError(`A name has 1 to ${MAX_NAME} characters.`);
  return name;
};
