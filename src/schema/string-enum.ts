import Type, { type TEnum, type TSchemaOptions } from 'typebox';

/** Keyword with the words of an enumeration that requests may use and that the interface's description lacks. */
export const OTHER_WORDS = 'x-other-words';

/**
 * One of some words, or of others that programs of the field send and that the interface does not name.
 * @returns a schema whose type has both
 */
export const stringEnumWith = <Words extends string[], Others extends string[]>(
  words: readonly [...Words],
  others: readonly [...Others],
): TEnum<[...Words, ...Others]> =>
  Type.Enum<[...Words, ...Others]>([...words, ...others], { type: 'string', [OTHER_WORDS]: others });

/** One of some words. The type `string`, which validation does not need, is what generators of clients look for. */
export const stringEnum = <Values extends string[]>(
  values: readonly [...Values],
  options?: TSchemaOptions,
): TEnum<Values> => Type.Enum(values, { type: 'string', ...options });
