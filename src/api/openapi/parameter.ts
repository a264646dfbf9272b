import type { TObject, TSchema } from 'typebox';
import { nameOf } from '../../schema/named.js';
import { COMMON_PARAMETERS, OPERATION_PARAMETERS, type ParameterText } from '../../schema/parameter-text.js';
import { COMMA_SEPARATED, REPEATABLE } from '../http/comma-separated.js';
import type { JsonSchema } from '../http/json-schema.js';
import type { Operation } from '../operation.js';

type Write = (schema: TSchema) => JsonSchema;

/** Parts of a request that hold parameters, and where the OpenAPI document says that they are. */
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

/** A list that may be repeated is an array in the document, so its example is one too. */
const exampleOf = ({ example }: ParameterText, { schema }: JsonSchema): object => {
  if (example === undefined) return {};
  const isArray = (schema as JsonSchema).type === 'array';
  return { example: isArray ? String(example).split(',') : example };
};

/**
 * @param part of the operation's request whose members are written
 * @param write writes a schema for the document
 * @returns the parameters with their descriptions and examples: those of the operation's own, then what the schema says
 *   itself, then what is common to all parameters of that name
 */
export const writeParameters = (operation: Operation, part: Part, write: Write): JsonSchema[] => {
  const schema = operation[part] as TObject | undefined;
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, member]) => {
    // Handlers always see a member that has a default; callers need not send it.
    const isListed = (schema?.required as string[] | undefined)?.includes(name) ?? false;
    const required = isListed && !('default' in member);
    const own = OPERATION_PARAMETERS[operation.id]?.[name];
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
