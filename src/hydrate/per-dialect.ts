import type { Dialect } from '../schema/wire-names.js';

/** What is rendered once for each dialect, as far as anybody asked in it. */
export interface PerDialect<T> {
  neutral: T | undefined;
  ecosystem: T | undefined;
}

export const perDialect = <T>(): PerDialect<T> => ({ neutral: undefined, ecosystem: undefined });

/** Members by name and not by a computed key: this is asked for every user and cast of every page. */
export const inOf = <T>(both: PerDialect<T>, dialect: Dialect): T | undefined =>
  dialect === 'neutral' ? both.neutral : both.ecosystem;

export const keepIn = <T>(both: PerDialect<T>, dialect: Dialect, value: T): T => {
  if (dialect === 'neutral') both.neutral = value;
  else both.ecosystem = value;
  return value;
};
