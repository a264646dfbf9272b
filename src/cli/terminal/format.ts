/** @returns the day of a time in UTC: `2026-01-31` */
export const day = (time: Date): string => time.toISOString().slice(0, 10);

/** @returns a time in UTC: `2026-01-31 12:00`; `-` for none */
export const minute = (time: Date | null): string => time?.toISOString().slice(0, 16).replace('T', ' ') ?? '-';

/** @returns an amount in US dollars: `$1.50` */
export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** @returns a number that names something, such as an account: its digits are not grouped in tables */
export const digits = (id: number | null): string | null => (id === null ? null : String(id));
