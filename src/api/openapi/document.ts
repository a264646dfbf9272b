import type { TSchema } from 'typebox';
import { plainName } from '../../schema/dialect.js';
import { namedSchema } from '../../schema/named.js';
import { OTHER_WORDS } from '../../schema/string-enum.js';
import { type Dialect, WIRE_NAMES } from '../../schema/wire-names.js';
import { VERSION } from '../../version.js';
import { writeCost } from '../cost/cost.js';
import { describeCost } from '../cost/text.js';
import { type JsonSchema, type SchemaForm, writeSchema } from '../http/json-schema.js';
import { HandlerResponse, type Operation, octetStream } from '../http/operation.js';
import { errorSchemaOf } from '../http/response-check.js';
import { operationIn } from './operation-dialect.js';
import { writeParameters } from './parameter.js';
import type { ResponseExamples } from './response-example.js';

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

/** Error statuses of the shared layers, for every operation with an API key. */
const SHARED_ERRORS = [401, 429];
/** Operations that cost units may also respond 402. */
const PAID_ERRORS = [...SHARED_ERRORS, 402];

/** In the order of the reference's side bar. */
const TAGS: readonly string[] = [
  ...['User', 'Cast', 'Channel', 'Feed', 'Follows', 'Reaction', 'Notifications', 'Topic', 'Metrics', 'Agents'],
  ...[
    'Mute',
    'Ban',
    'Block',
    'Signer',
    'AuthAddress',
    'Login',
    'Sign in',
    'fname',
    'Storage',
    'Webhook',
    'Stream',
    'Action',
  ],
  ...['Frame', 'App Host', 'Onchain', 'NFTs', 'Subscribers', 'subscription', 'portal', 'organization'],
  'operator',
  ...['Hub Info', 'Hub Casts', 'Hub Reactions', 'Hub Links', 'Hub UserData', 'Hub Fids', 'Hub Storage'],
  ...['Hub Usernames', 'Hub Verifications', 'Hub OnChainEvents', 'Hub Signers', 'Hub Channels', 'Hub Message'],
  ...['Hub Events', 'System'],
];

/** @returns an enumeration with its type, and without the words that the interface does not name; other nodes unchanged */
const describeEnum = (node: JsonSchema): JsonSchema => {
  if (!Array.isArray(node.enum)) return node;
  const { [OTHER_WORDS]: others = [], ...rest } = node as JsonSchema & { readonly [OTHER_WORDS]?: readonly string[] };
  const described: JsonSchema = { ...rest, enum: node.enum.filter((word) => !others.includes(word)) };
  return described.type === undefined ? { type: typeof node.enum[0], ...described } : described;
};

/** Collects the components that a document refers to, sorted by name. */
class Components {
  readonly #bodies = new Map<string, JsonSchema>();

  readonly #form: SchemaForm = {
    reference: (full) => {
      // A document is in one dialect, so its shapes have plain names.
      const name = plainName(full);
      if (!this.#bodies.has(name)) {
        const schema = namedSchema(full);
        if (schema === undefined) throw new Error(`no schema is named ${full}`);
        // Added before its body is written, because it may refer to itself.
        this.#bodies.set(name, {});
        this.#bodies.set(name, writeSchema(schema, this.#form, true));
      }
      return `#/components/schemas/${name}`;
    },
    finish: describeEnum,
  };

  write(schema: TSchema): JsonSchema {
    return writeSchema(schema, this.#form);
  }

  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#bodies].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

const described = (schema: JsonSchema, example: unknown) => ({
  schema,
  ...(example === undefined ? {} : { examples: { sample: { value: example } } }),
});

const json = (schema: JsonSchema, example?: unknown) => ({ 'application/json': described(schema, example) });

const hasNeutralNames = (value: unknown): boolean => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return WIRE_NAMES.some(({ neutral }) => text.includes(`"${neutral}"`));
};

/**
 * @returns the example of a response in the names of the operation's dialect; undefined if there is none, or if its
 *   schema does not tell all of its names
 */
const exampleOf = (operation: Operation, status: string, examples: ResponseExamples): unknown => {
  const example = examples[operation.id]?.[status];
  if (example === undefined || operation.dialect !== 'ecosystem') return example;
  const converted = operation.wireFormat?.answer?.(new HandlerResponse(Number(status), example));
  const named = converted instanceof HandlerResponse ? converted.body : example;
  return hasNeutralNames(named) ? undefined : named;
};

const UNIT_HEADER = { 'x-compute-units': { $ref: '#/components/headers/ComputeUnits' } };
const TAG_HEADER = { etag: { $ref: '#/components/headers/ETag' } };

/** Of operations that read from the database (docs/decisions/0037-conditional-reads.md). */
const CONDITION = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of a response that you have, or several of them: if the response would be the same, it is 304, without a ' +
    'body and without cost.',
  schema: { type: 'string' },
};
const NOT_MODIFIED = {
  description: 'Not modified: `If-None-Match` lists the `ETag` of the response. It has no body and costs nothing.',
  headers: { ...UNIT_HEADER, ...TAG_HEADER },
};

const responses = (operation: Operation, components: Components, examples: ResponseExamples) => {
  const good = { 200: operation.response, ...operation.outcomes };
  const entries: [string, object][] = Object.entries(good).map(([status, schema]) => [
    status,
    {
      description: status === '200' ? 'OK' : (REASONS[Number(status)] ?? 'Partly done'),
      ...(operation.scope === 'public' ? {} : { headers: { ...UNIT_HEADER, ...(operation.read && TAG_HEADER) } }),
      content: {
        [operation.mediaType ?? 'application/json']: described(
          components.write(schema),
          exampleOf(operation, status, examples),
        ),
      },
    },
  ]);
  if (operation.read) entries.push(['304', NOT_MODIFIED]);
  if (operation.family === 'hub') {
    entries.push([
      'default',
      { description: 'Hub error', content: json(components.write(errorSchemaOf(operation, 500))) },
    ]);
    return Object.fromEntries(entries);
  }
  const usual = operation.family === 'portal' || operation.scope === 'operator' ? SHARED_ERRORS : PAID_ERRORS;
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
  if (operation.body === octetStream) {
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema } } } };
  }
  const type = operation.isForm ? 'multipart/form-data' : 'application/json';
  return { requestBody: { required: true, content: { [type]: described(schema, operation.bodyExample) } } };
};

const describe = (operation: Operation, components: Components, examples: ResponseExamples) => ({
  operationId: operation.id,
  tags: operation.tags,
  // The side bar of the API reference shows it.
  summary: operation.title,
  description: [operation.summary, operation.bodyExampleNote, describeCost(operation)]
    .filter((text) => text !== undefined)
    .join('\n\n'),
  ...(operation.scope === 'public' ? { security: [] } : { 'x-scope': operation.scope }),
  'x-compute-units': writeCost(operation),
  ...(operation.family === 'hub' ? { 'x-base': 'hub' } : {}),
  parameters: [
    ...(['params', 'query', 'headers'] as const).flatMap((part) =>
      writeParameters(operation, part, (schema) => components.write(schema)),
    ),
    ...(operation.read ? [CONDITION] : []),
  ],
  ...requestBody(operation, components),
  responses: responses(operation, components, examples),
});

/** Describes the other dialect, for the document of each. */
const OTHER_NAMES: Readonly<Record<Dialect, string>> = {
  neutral:
    'Each path under `/v2/social/` is answered under `/v2/farcaster/` too, in the names that clients of the public ' +
    'ecosystem use. `/openapi.json?names=ecosystem` describes those.',
  ecosystem:
    'These are the names that clients of the public ecosystem use. Other paths than those under `/v2/farcaster/` ' +
    'speak them where CASTELLAN_WIRE_NAMES is ecosystem. `/openapi.json` describes the neutral names.',
};

/** @param base path prefix of the service, '' at the root */
const introduction = (base: string, dialect: Dialect): string =>
  [
    'Data of the Farcaster social protocol from a server of your own.',
    'Send your key in the header `x-api-key`, in `api_key` or as `Authorization: Bearer`. With the sample network of `castellan dev` the examples below have ' +
      'answers: put in the key of `data/api-key`, and send them from this page.',
    OTHER_NAMES[dialect],
    'A call costs compute units, which follow from the request alone: each operation says its own, and ' +
      `[What calls cost](${base}/docs/costs) lists them all.`,
  ].join('\n\n');

/**
 * Writes the OpenAPI 3.1 document of operations, from the same schemas that validate their requests.
 * @param serverUrl URL of the API, relative to the document
 * @param dialect of the names in the document
 * @param examples of responses, in neutral names
 */
export const buildDocument = (
  neutral: readonly Operation[],
  serverUrl: string,
  dialect: Dialect = 'neutral',
  examples: ResponseExamples = {},
): object => {
  const operations = neutral.map((operation) => operationIn(operation, dialect));
  const components = new Components();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const item = paths[path] ?? {};
    item[operation.method.toLowerCase()] = describe(operation, components, examples);
    paths[path] = item;
  }
  const used = new Set(operations.flatMap((operation) => operation.tags));
  const tags = [...TAGS.filter((tag) => used.has(tag)), ...[...used].filter((tag) => !TAGS.includes(tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Castellan',
      version: VERSION,
      description: introduction(serverUrl.replace(/\/$/, ''), dialect),
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
        ETag: {
          description:
            'Stands for the response: as long as it is the same, a request with it in `If-None-Match` is answered 304. ' +
            'Weak (`W/"..."`) if the response has a cursor, whose text may differ.',
          schema: { type: 'string' },
        },
      },
      schemas: components.schemas,
    },
  };
};
