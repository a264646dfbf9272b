import type { TSchema } from 'typebox';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMAS_BY_NAME } from './keyword.js';
import { named, namedSchema, nameOf } from './named.js';
import { type Dialect, toEcosystem } from './wire-names.js';

type Node = { readonly [keyword: string]: unknown };

const { names, constants } = toEcosystem;
const SUFFIX = '.ecosystem';

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** @returns the schemas that a schema consists of, and the one that it refers to */
const partsOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([keyword, value]) => {
    if (keyword === '$ref') return namedSchema(String(value)) ?? [];
    if (SCHEMAS_BY_NAME.has(keyword)) return Object.values(value as Record<string, Node>);
    return (ONE_SCHEMA.has(keyword) || SCHEMA_LIST.has(keyword) ? [value].flat() : []).filter(isNode);
  }) as Node[];

const isRenamed = ({ properties, enum: values, const: value }: Node): boolean =>
  Object.keys(properties ?? {}).some((name) => names.has(name)) ||
  [...((values as unknown[] | undefined) ?? []), value].some((one) => constants.has(one as string));

const reaches = (node: Node, seen: Set<Node>): boolean => {
  if (seen.has(node)) return false;
  seen.add(node);
  return isRenamed(node) || partsOf(node).some((part) => reaches(part, seen));
};

const differing = new WeakMap<object, boolean>();

/** @returns whether a member or constant of a shape has another name in the ecosystem */
export const differs = (schema: TSchema): boolean => {
  const known = differing.get(schema);
  if (known !== undefined) return known;
  const found = reaches(schema as unknown as Node, new Set());
  differing.set(schema, found);
  return found;
};

const renamed = (map: ReadonlyMap<string, string>, value: unknown): unknown => map.get(value as string) ?? value;

const spell = (keyword: string, name: string): unknown => {
  if (keyword === '$defs') return referenceTo(name);
  return keyword === 'properties' ? renamed(names, name) : name;
};

const translateKeyword = (keyword: string, value: unknown): unknown => {
  if (keyword === '$ref' || keyword === '$id') return referenceTo(String(value));
  if (SCHEMAS_BY_NAME.has(keyword)) {
    const members = Object.entries(value as Record<string, TSchema>);
    return Object.fromEntries(members.map(([name, member]) => [spell(keyword, name), inEcosystem(member)]));
  }
  if (ONE_SCHEMA.has(keyword)) return isNode(value) ? inEcosystem(value as unknown as TSchema) : value;
  if (SCHEMA_LIST.has(keyword)) return (value as TSchema[]).map(inEcosystem);
  if (keyword === 'required') return (value as string[]).map((name) => renamed(names, name));
  if (keyword === 'enum') return (value as unknown[]).map((one) => renamed(constants, one));
  return keyword === 'const' ? renamed(constants, value) : value;
};

/** Translates a default together with the members that it is a value of. */
const translate = (node: Node): Node => {
  const entries = Object.entries(node).map(([keyword, value]) => [keyword, translateKeyword(keyword, value)]);
  const translated = Object.fromEntries(entries) as Record<string, unknown>;
  if ('default' in node && isRenamed(node)) translated.default = renamed(constants, node.default);
  return translated;
};

/** A recursive shape refers to itself by name, which its translation cannot share. */
const referenceTo = (name: string): string => {
  const schema = namedSchema(name);
  return schema !== undefined && differs(schema) ? `${name}${SUFFIX}` : name;
};

const translations = new WeakMap<object, TSchema>();

const inEcosystem = <T extends TSchema>(schema: T): T => {
  if (!differs(schema)) return schema;
  const name = nameOf(schema);
  const source = name === undefined ? schema : (namedSchema(name) as TSchema);
  const known = translations.get(source);
  if (known !== undefined) return known as T;
  const made = translate(source as unknown as Node) as unknown as TSchema;
  translations.set(source, made);
  return (name === undefined ? made : named(`${name}${SUFFIX}`, made)) as T;
};

/**
 * @returns a shape with the members and constants of a dialect, in the same order; the same object if nothing in it
 * differs. A named shape has one translation, which is named too (`plainName`).
 */
export const inDialect = <T extends TSchema>(schema: T, dialect: Dialect): T =>
  dialect === 'neutral' ? schema : inEcosystem(schema);

/** @returns the name of a shape without the suffix of its dialect */
export const plainName = (name: string): string => (name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name);
