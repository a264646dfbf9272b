import Type, { type TObject, type TObjectOptions, type TProperties, type TSchema } from 'typebox';

const origin = '~named';
const schemas = new Map<string, TSchema>();
const names = new WeakMap<TSchema, string>();

/**
 * Names a shared shape for `components/schemas` of the OpenAPI document, which refers to this object instead of
 * repeating it.
 * @returns the same object, so that a shape is declared as `const Fids = named('Fids', Type.Array(Fid))`.
 * @throws Error if another schema already has the name.
 */
export const named = <T extends TSchema>(name: string, schema: T): T => {
  if (schemas.has(name)) throw new Error(`two schemas are named ${name}`);
  schemas.set(name, schema);
  names.set(schema, name);
  // TypeBox copies a schema with its non-enumerable members when it marks it optional or readonly; this member leads
  // from such a copy to the original.
  Object.defineProperty(schema, origin, { value: schema, enumerable: false, configurable: true, writable: true });
  return schema;
};

/** @returns the shape of an object, named: `const User = namedObject('User', { fid: Fid })`. @throws as `named` */
export const namedObject = <Members extends TProperties>(
  name: string,
  members: Members,
  options?: TObjectOptions,
): TObject<Members> => named(name, Type.Object(members, options));

/**
 * @returns the name given to `schema`, or to the schema it is an unchanged copy of (`Type.Optional(User)`);
 *   undefined for an anonymous one and for a copy with other keywords.
 */
export const nameOf = (schema: TSchema): string | undefined => {
  const exact = names.get(schema);
  if (exact !== undefined) return exact;
  const source = (schema as { [origin]?: TSchema })[origin];
  if (source === undefined) return undefined;
  const here = Object.entries(schema);
  const there = source as Record<string, unknown>;
  const unchanged = here.length === Object.keys(there).length && here.every(([key, value]) => there[key] === value);
  return unchanged ? names.get(source) : undefined;
};

/** @returns the schema of that name; undefined if no loaded module declares it */
export const namedSchema = (name: string): TSchema | undefined => schemas.get(name);
