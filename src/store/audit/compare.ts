/** Makes a check from SQL of stored and of expected rows, each (place, value). */
export type Compare = (stored: string, expected: string) => string;
