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
 * @param items what every entry must be
 * @returns a function that tells the first fault of each entry of a list, its path beginning with the list's own
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
 * Makes what finds the faults of a body beyond its first: one for each entry of its lists, so that a caller mends a
 * long list in one go. The number of entries bounds what is told, and lists beyond their bound are not looked at.
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
