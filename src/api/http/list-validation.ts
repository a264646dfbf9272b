import type { TSchema } from 'typebox';
import { type AppError, invalidFields, type Problem } from '../../error.js';
import { type InvalidRequest, invalidRequest } from './invalid-request.js';
import { createCheck } from './validation.js';

interface List {
  readonly type?: unknown;
  readonly items?: TSchema;
  readonly maxItems?: number;
}

/**
 * @param items schema of every entry
 * @returns a function that finds the first error of each entry of a list; the error's path begins with the list's name
 */
export const createListCheck = (items: TSchema): ((entries: readonly unknown[], name: string) => Problem[]) => {
  const check = createCheck(items);
  return (entries, name) =>
    entries.flatMap((entry, index) => {
      const errors = check(entry);
      if (errors === undefined) return [];
      const { problem } = invalidRequest(errors, name, [name, String(index)]);
      return [problem];
    });
};

/**
 * Finds further errors of a body: one for each invalid entry of its lists, so that a caller can correct a long list at
 * once. Lists that are too long are not checked, which bounds the number of errors.
 */
export const createEntryCheck = (schema: TSchema): ((value: unknown, first: InvalidRequest) => AppError) => {
  const members = Object.entries((schema as { properties?: Record<string, List> }).properties ?? {});
  const lists = members.flatMap(([name, { type, items, maxItems }]) =>
    type === 'array' && items !== undefined && maxItems !== undefined
      ? [{ name, maxItems, check: createListCheck(items) }]
      : [],
  );
  return (value, first) => {
    const entries = lists.flatMap(({ name, maxItems, check }) => {
      const list = (value as Record<string, unknown> | null)?.[name];
      return Array.isArray(list) && list.length <= maxItems ? check(list, name) : [];
    });
    const [name, index] = first.problem.path;
    const isAmongThem = entries.some(({ path }) => path[0] === name && path[1] === index);
    const [problem, ...others] = isAmongThem ? entries : [first.problem, ...entries];
    return problem === undefined || others.length === 0 ? first : invalidFields([problem, ...others]);
  };
};
