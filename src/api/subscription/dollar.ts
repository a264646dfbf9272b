/** @returns US dollars of cents, as the interface tells money. */
export const dollars = (cents: number): number => cents / 100;

/** @param units of a plan, a month @returns what the interface tells; an unlimited plan has the largest whole number. */
export const unitLimit = (units: number | null): number => units ?? Number.MAX_SAFE_INTEGER;
