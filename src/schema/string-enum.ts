import Type, { type TEnum, type TSchemaOptions } from 'typebox';

/** One of some words. The type `string`, which validation does not need, is what generators of clients look for. */
export const stringEnum = <Values extends string[]>(
  values: readonly [...Values],
  options?: TSchemaOptions,
): TEnum<Values> => Type.Enum(values, { type: 'string', ...options });
