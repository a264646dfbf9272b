import type { TSchema } from 'typebox';
import { expect } from 'vitest';
import { createCheck } from '../../src/api/http/validation.js';
import { inDialect } from '../../src/schema/dialect.js';
import { renamer } from '../../src/schema/rename.js';
import type { Dialect } from '../../src/schema/wire-names.js';
import { parseRendered } from '../../src/view/json.js';

const checks = new Map<TSchema, ReturnType<typeof createCheck>>();

const checkOf = (schema: TSchema): ReturnType<typeof createCheck> => {
  const known = checks.get(schema) ?? createCheck(schema);
  checks.set(schema, known);
  return known;
};

/**
 * Checks the bytes of a view against the interface's schema and an expected object.
 * @param plain the expected value in neutral names; members that are undefined must be absent
 */
export const expectView = (schema: TSchema, dialect: Dialect, json: Buffer | string, plain: unknown): void => {
  const value: unknown = typeof json === 'string' ? parseRendered(json) : JSON.parse(json.toString());
  const copy = JSON.parse(JSON.stringify(plain));
  expect(value).toEqual(dialect === 'ecosystem' ? (renamer(schema, 'ecosystem')?.(copy) ?? copy) : copy);
  // Validation fills in defaults, so it comes last.
  expect(checkOf(inDialect(schema, dialect))(value)).toBeUndefined();
};
