/** Maximum nesting of lists and objects: far above any valid body, far below what overflows the stack of a reader. */
export const MAX_LEVELS = 64;

/** @returns whether lists and objects are nested in more levels than these */
export const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
};
