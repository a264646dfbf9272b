import type { TSchema } from 'typebox';

const origin = '~named';
const schemas = new Map<string, TSchema>();
const names = new WeakMap<TSchema, string>();

/**
 * Gives a shared shape the name under which it stands in `components/schemas` of the OpenAPI document.
 * Wherever this very object is used, the document refers to it instead of repeating it.
 * @returns the same object, so that a shape is declared as `const User = named('User', Type.Object({...}))`.
 * @throws Error when another schema has the name already: two shapes under one name would be a lie.
 */
export function named<T extends TSchema>(name: string, schema: T): T {
  if (schemas.has(name)) throw new Error(`two schemas are named ${name}`);
  schemas.set(name, schema);
  names.set(schema, name);
  // TypeBox copies a schema, hidden members included, when it marks it optional or readonly:
  // the hidden member lets such a copy find its way back.
  Object.defineProperty(schema, origin, { value: schema, enumerable: false, configurable: true, writable: true });
  return schema;
}

/**
 * @returns the name given to `schema`, or to the schema it is an unchanged copy of (`Type.Optional(User)`);
 *   undefined for an anonymous one and for a copy with other keywords.
 */
export function nameOf(schema: TSchema): string | undefined {
  const exact = names.get(schema);
  if (exact !== undefined) return exact;
  const source = (schema as { [origin]?: TSchema })[origin];
  if (source === undefined) return undefined;
  const here = Object.entries(schema);
  const there = source as Record<string, unknown>;
  const unchanged = here.length === Object.keys(there).length && here.every(([key, value]) => there[key] === value);
  return unchanged ? names.get(source) : undefined;
}

/** @returns the schema of that name; undefined when none of the loaded modules declares it. */
export const namedSchema = (name: string): TSchema | undefined => schemas.get(name);
