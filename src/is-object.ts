/** @returns whether a value of parsed JSON is an object with members: no list and not null */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
