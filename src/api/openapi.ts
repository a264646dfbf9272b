import type { TObject, TSchema } from 'typebox';
import { plainName } from '../schema/dialect.js';
import { namedSchema, nameOf } from '../schema/named.js';
import type { Dialect } from '../schema/wire-names.js';
import { VERSION } from '../version.js';
import { COMMA_SEPARATED, REPEATABLE } from './comma-separated.js';
import { type Costs, costOf, writeCost } from './cost.js';
import { tellCost, tellCosts } from './cost-text.js';
import { type JsonSchema, type SchemaForm, writeSchema } from './json-schema.js';
import { type Operation, octetStream } from './operation.js';
import { operationIn } from './operation-dialect.js';
import { errorSchemaOf } from './response-check.js';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  402: 'Payment required',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  422: 'Unprocessable',
  429: 'Too many requests',
  500: 'Server error',
  502: 'Bad gateway',
};

/** Answers of shared layers, which every operation with a key may give. */
const SHARED_ERRORS = [401, 429];
/** The same where a call costs something: what an organization asks about its own bill does not. */
const PAID_ERRORS = [...SHARED_ERRORS, 402];

/** Collects the components that a document refers to, in the order of their names. */
class Components {
  readonly #bodies = new Map<string, JsonSchema>();

  readonly #form: SchemaForm = {
    reference: (full) => {
      // A document is in one dialect, so its shapes have their plain names.
      const name = plainName(full);
      if (!this.#bodies.has(name)) {
        const schema = namedSchema(full);
        if (schema === undefined) throw new Error(`no schema is named ${full}`);
        // Noted before it is written, because it may refer to itself.
        this.#bodies.set(name, {});
        this.#bodies.set(name, writeSchema(schema, this.#form, true));
      }
      return `#/components/schemas/${name}`;
    },
    finish: (node) =>
      Array.isArray(node.enum) && node.type === undefined ? { type: typeof node.enum[0], ...node } : node,
  };

  write(schema: TSchema): JsonSchema {
    return writeSchema(schema, this.#form);
  }

  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#bodies].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

const listParameter = (schema: TSchema, components: Components) => {
  const {
    items,
    [COMMA_SEPARATED]: _,
    [REPEATABLE]: repeatable,
    description,
    ...rest
  } = schema as unknown as JsonSchema;
  const item = components.write(items as TSchema);
  const common = { [COMMA_SEPARATED]: true, ...(description === undefined ? {} : { description }) };
  if (repeatable === true) return { ...common, style: 'form', explode: false, schema: { ...rest, items: item } };
  const most = rest.maxItems === undefined ? {} : { 'x-max-items': rest.maxItems };
  const { type } = items as unknown as JsonSchema;
  return { ...common, 'x-item-type': type ?? 'string', ...most, schema: { type: 'string' } };
};

const parameters = (place: 'query' | 'path' | 'header', schema: TObject | undefined, components: Components) =>
  Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, member]) => {
    // Handlers always see a member that has a default; callers need not send it.
    const isListed = (schema?.required as string[] | undefined)?.includes(name) ?? false;
    const required = isListed && !('default' in member);
    const head = { name, in: place, ...(required ? { required } : {}) };
    if (COMMA_SEPARATED in member) return { ...head, ...listParameter(member, components) };
    if (nameOf(member) !== undefined) return { ...head, schema: components.write(member) };
    const { description, ...written } = components.write(member);
    return { ...head, ...(description === undefined ? {} : { description }), schema: written };
  });

const UNIT_HEADER = { 'x-compute-units': { $ref: '#/components/headers/ComputeUnits' } };

const responses = (operation: Operation, components: Components) => {
  const good = { 200: operation.response, ...operation.outcomes };
  const entries: [string, object][] = Object.entries(good).map(([status, schema]) => [
    status,
    {
      description: status === '200' ? 'OK' : (REASONS[Number(status)] ?? 'Partly done'),
      ...(operation.scope === 'public' ? {} : { headers: UNIT_HEADER }),
      content: json(components.write(schema)),
    },
  ]);
  if (operation.family === 'hub') {
    entries.push([
      'default',
      { description: 'Hub error', content: json(components.write(errorSchemaOf(operation, 500))) },
    ]);
    return Object.fromEntries(entries);
  }
  const usual = operation.family === 'portal' ? SHARED_ERRORS : PAID_ERRORS;
  const shared = operation.scope === 'public' ? [] : usual;
  for (const status of [...new Set([...operation.errors, ...shared])].sort()) {
    const body = components.write(errorSchemaOf(operation, status));
    entries.push([String(status), { description: REASONS[status] ?? 'Error', content: json(body) }]);
  }
  return Object.fromEntries(entries);
};

const requestBody = (operation: Operation, components: Components) => {
  if (operation.body === undefined) return {};
  const schema = components.write(operation.body);
  const content = operation.body === octetStream ? { 'application/octet-stream': { schema } } : json(schema);
  return { requestBody: { required: true, content } };
};

const describe = (operation: Operation, costs: Costs, components: Components) => ({
  operationId: operation.id,
  tags: operation.tags,
  summary: operation.summary,
  description: tellCost(operation, costOf(costs, operation)),
  ...(operation.scope === 'public' ? { security: [] } : { 'x-scope': operation.scope }),
  'x-compute-units': writeCost(operation, costOf(costs, operation)),
  ...(operation.family === 'hub' ? { 'x-base': 'hub' } : {}),
  parameters: [
    ...parameters('path', operation.params, components),
    ...parameters('query', operation.query, components),
    ...parameters('header', operation.headers, components),
  ],
  ...requestBody(operation, components),
  responses: responses(operation, components),
});

/** What is said of the other dialect, in each. */
const OTHER_NAMES: Readonly<Record<Dialect, string>> = {
  neutral:
    'Each path under `/v2/social/` is answered under `/v2/farcaster/` too, in the names that clients of the public ' +
    'ecosystem use. `/openapi.json?names=ecosystem` describes those.',
  ecosystem:
    'These are the names that clients of the public ecosystem use. Other paths than those under `/v2/farcaster/` ' +
    'speak them where WIRE_NAMES is ecosystem. `/openapi.json` describes the neutral names.',
};

/**
 * Writes the OpenAPI 3.1 document of operations, from the same schemas that validate their requests.
 * @param costs of all of them, at least
 * @param serverUrl where they answer; relative to the document's own address.
 * @param dialect whose names it is written in
 */
export const buildDocument = (
  neutral: readonly Operation[],
  costs: Costs,
  serverUrl: string,
  dialect: Dialect = 'neutral',
): object => {
  const operations = neutral.map((operation) => operationIn(operation, dialect));
  const components = new Components();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const item = paths[path] ?? {};
    item[operation.method.toLowerCase()] = describe(operation, costs, components);
    paths[path] = item;
  }
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Castellan',
      version: VERSION,
      description: `Data of the Farcaster social protocol from a server of your own. Send your key in \`x-api-key\`.\n\n${OTHER_NAMES[dialect]}\n\n${tellCosts(operations, costs)}`,
    },
    servers: [{ url: serverUrl }],
    security: [{ ApiKeyAuth: [] }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      headers: {
        ComputeUnits: {
          description: 'What the call cost, in compute units.',
          schema: { type: 'integer', minimum: 0 },
        },
      },
      schemas: components.schemas,
    },
  };
};
