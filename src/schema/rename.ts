import type { TSchema } from 'typebox';
import { differs } from './dialect.js';
import { namedSchema } from './named.js';
import { type Dialect, toEcosystem } from './wire-names.js';

type Rename = (value: unknown) => unknown;
type Members = Readonly<Record<string, TSchema>>;

/** The schemas that may apply to a value, with alternatives merged. */
interface Form {
  readonly constants: Map<string, string>;
  readonly members: Map<string, TSchema[]>;
  readonly items: TSchema[];
  /** Schemas of undeclared members. */
  readonly rest: TSchema[];
}

interface Node {
  readonly $ref?: string;
  readonly $defs?: Members;
  readonly properties?: Members;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: TSchema;
  readonly additionalProperties?: TSchema | boolean;
  readonly patternProperties?: Members;
  readonly anyOf?: readonly TSchema[];
  readonly oneOf?: readonly TSchema[];
  readonly allOf?: readonly TSchema[];
}

/** A name or constant in the source and in the wanted dialect. */
const turn = (neutral: string, ecosystem: string, to: Dialect): readonly [string, string] =>
  to === 'ecosystem' ? [neutral, ecosystem] : [ecosystem, neutral];

const gather = (schema: TSchema, to: Dialect, form: Form): Form => {
  const node = schema as unknown as Node;
  if (node.$ref !== undefined) {
    const target = node.$defs?.[node.$ref] ?? namedSchema(node.$ref);
    if (target !== undefined) gather(target, to, form);
    return form;
  }
  for (const part of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]) gather(part, to, form);
  for (const value of [...(node.enum ?? []), node.const]) {
    const ecosystem = toEcosystem.constants.get(value as string);
    if (ecosystem !== undefined) form.constants.set(...turn(value as string, ecosystem, to));
  }
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    form.members.set(name, [...(form.members.get(name) ?? []), member]);
  }
  if (node.items !== undefined) form.items.push(node.items);
  if (typeof node.additionalProperties === 'object') form.rest.push(node.additionalProperties);
  form.rest.push(...Object.values(node.patternProperties ?? {}));
  return form;
};

const ids = new WeakMap<object, number>();
let lastId = 0;
const idOf = (schema: TSchema): number => {
  const id = ids.get(schema) ?? ++lastId;
  ids.set(schema, id);
  return id;
};

/** Compiles the renaming for these shapes at its first use; a recursive shape reuses its own. */
const compile = (schemas: readonly TSchema[], to: Dialect, known: Map<string, Rename>): Rename | undefined => {
  const concerned = [...new Set(schemas)].filter(differs);
  if (concerned.length === 0) return undefined;
  const key = concerned.map(idOf).sort().join();
  const present = known.get(key);
  if (present !== undefined) return present;
  let made: Rename | undefined;
  const rename: Rename = (value) => {
    made ??= build(concerned, to, known);
    return made(value);
  };
  known.set(key, rename);
  return rename;
};

interface Member {
  readonly name: string;
  readonly inner: Rename | undefined;
}

const build = (schemas: readonly TSchema[], to: Dialect, known: Map<string, Rename>): Rename => {
  const form: Form = { constants: new Map(), members: new Map(), items: [], rest: [] };
  for (const schema of schemas) gather(schema, to, form);
  const members = new Map<string, Member>();
  /** New names of renamed members: an undeclared member must not use one of them. */
  const taken = new Set<string>();
  for (const [neutral, parts] of form.members) {
    const [own, name] = turn(neutral, toEcosystem.names.get(neutral) ?? neutral, to);
    members.set(own, { name, inner: compile(parts, to, known) });
    if (own !== name) taken.add(name);
  }
  const renameItem = compile(form.items, to, known);
  const other = compile(form.rest, to, known);
  const renameObject = (object: object): object => {
    const result: Record<string, unknown> = {};
    for (const [own, value] of Object.entries(object)) {
      const { name, inner } = members.get(own) ?? { name: own, inner: other };
      if (name === own && taken.has(own)) continue;
      result[name] = inner === undefined ? value : inner(value);
    }
    return result;
  };
  return (value) => {
    if (typeof value === 'string') return form.constants.get(value) ?? value;
    if (Array.isArray(value)) return renameItem === undefined ? value : value.map(renameItem);
    return typeof value === 'object' && value !== null ? renameObject(value) : value;
  };
};

/**
 * Makes a function that renames only declared members and constants, so that users' texts stay unchanged. Only objects
 * that contain a renamed member are copied.
 *
 * @param schema in neutral names, whatever the dialect of the value
 * @param to the wanted dialect; values are in the other one
 * @returns undefined if the shape is the same in both dialects
 */
export const renamer = (schema: TSchema, to: Dialect): Rename | undefined => compile([schema], to, new Map());
