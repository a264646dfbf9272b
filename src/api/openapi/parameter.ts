import type { TObject, TSchema } from 'typebox';
import { nameOf } from '../../schema/named.js';
import { COMMON_PARAMETERS, type ParameterText } from '../../schema/parameter-text.js';
import { toEcosystem } from '../../schema/wire-names.js';
import { COMMA_SEPARATED, REPEATABLE } from '../http/comma-separated.js';
import type { JsonSchema } from '../http/json-schema.js';
import type { Operation } from '../http/operation.js';

type Write = (schema: TSchema) => JsonSchema;

/** Request parts with parameters, by their location in the OpenAPI document. */
const PLACES = { params: 'path', query: 'query', headers: 'header' } as const;
type Part = keyof typeof PLACES;

const listParameter = (schema: TSchema, write: Write): JsonSchema => {
  const {
    items,
    [COMMA_SEPARATED]: _,
    [REPEATABLE]: repeatable,
    description,
    ...rest
  } = schema as unknown as JsonSchema;
  const item = write(items as TSchema);
  const common = { [COMMA_SEPARATED]: true, ...(description === undefined ? {} : { description }) };
  if (repeatable === true) return { ...common, style: 'form', explode: false, schema: { ...rest, items: item } };
  const most = rest.maxItems === undefined ? {} : { 'x-max-items': rest.maxItems };
  const { type } = items as unknown as JsonSchema;
  return { ...common, 'x-item-type': type ?? 'string', ...most, schema: { type: 'string' } };
};

const bodyOf = (schema: TSchema, write: Write): JsonSchema => {
  if (COMMA_SEPARATED in schema) return listParameter(schema, write);
  if (nameOf(schema) !== undefined) return { schema: write(schema) };
  const { description, ...written } = write(schema);
  return { ...(description === undefined ? {} : { description }), schema: written };
};

/**
 * The document has a repeatable list as an array, so its example must be an array, too. A constant that has another name
 * in the document has it in the example, too.
 */
const exampleOf = ({ example }: ParameterText, { schema }: JsonSchema): object => {
  if (example === undefined) return {};
  const { type, enum: constants } = schema as { type?: unknown; enum?: readonly unknown[] };
  if (type === 'array') return { example: String(example).split(',') };
  const isOtherName = constants !== undefined && !constants.includes(example);
  return { example: (isOtherName && toEcosystem.constants.get(String(example))) || example };
};

/**
 * @param part of the operation's request
 * @param write writes a schema for the document
 * @returns the parameters with descriptions and examples: those of the operation, else of the schema, else of all
 *   parameters with that name
 */
export const writeParameters = (operation: Operation, part: Part, write: Write): JsonSchema[] => {
  const schema = operation[part] as TObject | undefined;
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, member]) => {
    // Handlers always get a member with a default, but callers may omit it.
    const isListed = (schema?.required as string[] | undefined)?.includes(name) ?? false;
    const required = isListed && !('default' in member);
    const own = operation.parameters?.[name];
    const common = COMMON_PARAMETERS[name];
    const written = bodyOf(member, write);
    const description = own?.description ?? written.description ?? common?.description;
    return {
      name,
      in: PLACES[part],
      ...(required ? { required } : {}),
      ...written,
      ...(description === undefined ? {} : { description }),
      ...exampleOf({ ...common, ...own }, written),
    };
  });
};
