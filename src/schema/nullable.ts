import Type, { type Static, type TNull, type TSchema, type TUnion, type TUnsafe } from 'typebox';
import { nameOf } from './named.js';

/**
 * The shape or null. A plain string or number becomes `type: [.., 'null']`, which serializers and validators handle
 * without trying alternatives; a named or composed shape stays the same object inside an `anyOf`.
 */
export const nullable = <T extends TSchema>(schema: T): TUnsafe<Static<T> | null> | TUnion<[T, TNull]> => {
  const { type } = schema as { type?: unknown };
  const plain = type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
  if (!plain || nameOf(schema) !== undefined || 'enum' in schema) return Type.Union([schema, Type.Null()]);
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'] });
};
