/** @returns cents as US dollars, the unit of the API */
export const dollars = (cents: number): number => cents / 100;

/** @param units a month; null: unlimited, which becomes the largest safe integer */
export const unitLimit = (units: number | null): number => units ?? Number.MAX_SAFE_INTEGER;
