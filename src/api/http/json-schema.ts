import type { TSchema } from 'typebox';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMAS_BY_NAME } from '../../schema/keyword.js';
import { nameOf } from '../../schema/named.js';

export type JsonSchema = { [keyword: string]: unknown };

export interface SchemaForm {
  /** Formats the reference to a named shape. */
  readonly reference: (name: string) => string;
  /** Changes one schema node after its parts were converted. */
  readonly finish: (node: JsonSchema) => JsonSchema;
}

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null;

/**
 * Writes a schema as plain JSON in which every named shape is a reference.
 * @param root whether the schema itself is written out even if it has a name (the body of a component)
 */
export const writeSchema = (schema: TSchema, form: SchemaForm, root = false): JsonSchema => {
  const name = nameOf(schema);
  if (name !== undefined && !root) return { $ref: form.reference(name) };
  const source = schema as unknown as JsonSchema;
  // A recursive shape has its body under `$defs`, and refers to itself by name.
  if (isSchema(source.$defs)) {
    const own = String(source.$ref);
    if (name !== own) throw new Error(`the recursive schema ${own} must be named ${own}`);
    const { $id: _, ...body } = (source.$defs as unknown as Record<string, JsonSchema>)[own] as JsonSchema;
    return writeSchema(body as unknown as TSchema, form, true);
  }
  const node: JsonSchema = {};
  for (const [keyword, value] of Object.entries(source)) node[keyword] = writeKeyword(keyword, value, form);
  return form.finish(node);
};

const writeKeyword = (keyword: string, value: unknown, form: SchemaForm): unknown => {
  if (keyword === '$ref') return form.reference(String(value));
  if (ONE_SCHEMA.has(keyword) && isSchema(value)) return writeSchema(value, form);
  if (SCHEMA_LIST.has(keyword)) return (value as TSchema[]).map((part) => writeSchema(part, form));
  if (!SCHEMAS_BY_NAME.has(keyword)) return value;
  const parts = Object.entries(value as Record<string, TSchema>);
  return Object.fromEntries(parts.map(([member, part]) => [member, writeSchema(part, form)]));
};
