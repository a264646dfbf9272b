import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import type { Static, TSchema } from 'typebox';
import { integerFormats } from '../schema/format.js';

/**
 * Compiles the serializer of a shape; it writes the members that the schema knows and no others.
 * Compilation waits for the first use, so that a start does not pay for it.
 */
export const serializer = <T extends TSchema>(schema: T): ((value: Static<T>) => string) => {
  let compiled: ((value: Static<T>) => string) | undefined;
  return (value) => {
    compiled ??= fastJsonStringify(schema as unknown as Schema, { ajv: { formats: { ...integerFormats } } });
    return compiled(value);
  };
};

/** @returns a JSON object that is left open: its last brace gives way to more members. */
export const openObject = (json: string, members: string): string => `${json.slice(0, -1)},${members}`;
