import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { integerFormats } from '../../src/schema/format.js';

type Json = Record<string, unknown>;

interface Response {
  readonly $ref?: string;
  readonly content?: Record<string, { readonly schema?: Json }>;
}

interface Operation {
  readonly operationId: string;
  readonly 'x-base'?: string;
  readonly responses: Record<string, Response>;
}

export interface Contract {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Json>; readonly responses: Record<string, Response> };
}

const file = new URL('../../../shared/contract/openapi.yaml', import.meta.url);

/** Whether the wire contract is available in the parent folder; otherwise checks against it are skipped. */
export const contractAvailable = existsSync(file);

let loaded: Contract | undefined;

/** The contract limits fids to 32 bits; the protocol's are wider and shown unchanged. */
const WIDE_FIDS = ['Fid', 'FidOrZero'];

/** @returns the contract with fids of 64 bits. @throws Error if the file is absent. */
export const contract = (): Contract => {
  if (loaded !== undefined) return loaded;
  const written = load(readFileSync(file, 'utf8')) as Contract;
  for (const name of WIDE_FIDS) Object.assign(written.components.schemas[name] as Json, { format: 'int64' });
  loaded = written;
  return written;
};

/**
 * Replaces `oneOf` with `anyOf`: the contract uses it although both branches match valid data, as objects are
 * open (HubEmbed with castId and url, HubMessage.data, ChannelOrChannelDehydrated, a page or one message of
 * userDataByFid, oembed data). JSON Schema ignores the discriminator that would decide.
 */
const relaxed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(relaxed);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node)
    .filter(([key, value]) => !(key === 'discriminator' && typeof value === 'object'))
    .map(([key, value]): [string, unknown] => {
      if (key === 'oneOf') return ['anyOf', relaxed(value)];
      if (key === '$ref') return [key, String(value).replace('#/', 'contract#/')];
      return [key, relaxed(value)];
    });
  return Object.fromEntries(entries);
};

/** Statuses of layers above the operation; the contract lists them for few operations. */
const sharedStatuses = new Set([400, 401, 402, 403, 404, 405, 409, 413, 429, 500, 503, 504]);

/** Statuses that the list of the contract's gaps adds to an operation. */
const gapStatuses: Readonly<Record<string, ReadonlySet<number>>> = {
  // GAPS 4.4
  'publish-social-action': new Set([400, 502]),
};

const isShared = (operationId: string, status: number): boolean =>
  sharedStatuses.has(status) || (gapStatuses[operationId]?.has(status) ?? false);

const errorFamily = (path: string, operation: Operation): string => {
  if (operation['x-base'] === 'hub') return 'HubErrorRes';
  return path.startsWith('/portal/') ? 'PortalErrorRes' : 'ErrorRes';
};

let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ValidateFunction | string>();

const compileSchema = (schema: Json): ValidateFunction => {
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    for (const [name, format] of Object.entries(integerFormats)) ajv.addFormat(name, format);
    ajv.addSchema({ $id: 'contract', components: relaxed(contract().components) } as Json);
  }
  return ajv.compile(relaxed(schema) as Json);
};

const validator = (operationId: string, status: number): ValidateFunction | string => {
  const document = contract();
  for (const [path, item] of Object.entries(document.paths)) {
    const operation = Object.values(item).find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) continue;
    const listed = operation.responses[String(status)] ?? operation.responses.default;
    if (listed === undefined && !isShared(operationId, status)) {
      return `status ${status} is not listed for ${operationId}`;
    }
    const response = listed?.$ref ? document.components.responses[listed.$ref.split('/').pop() ?? ''] : listed;
    const schema = listed
      ? response?.content?.['application/json']?.schema
      : { $ref: `#/components/schemas/${errorFamily(path, operation)}` };
    return schema === undefined ? `no JSON body is described for ${status}` : compileSchema(schema);
  }
  return `the contract has no operation ${operationId}`;
};

/**
 * Validates data against a named schema of the contract.
 * @returns one line for each difference; empty if the data is valid
 */
export const validateAgainstSchema = (name: string, data: unknown): string[] => {
  if (!contractAvailable) return [];
  const check = compiled.get(name) ?? compileSchema({ $ref: `#/components/schemas/${name}` });
  compiled.set(name, check);
  if (typeof check === 'string') return [check];
  return check(data) ? [] : (check.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message}`);
};

/**
 * Validates a response against the contract.
 * @param body the parsed JSON body.
 * @returns one line for each difference (`/users/0/fid must be >= 1`); empty if the response is valid.
 */
export const validateAgainstContract = (operationId: string, status: number, body: unknown): string[] => {
  const key = `${operationId} ${status}`;
  const check = compiled.get(key) ?? validator(operationId, status);
  compiled.set(key, check);
  if (typeof check === 'string') return [check];
  if (check(body)) return [];
  return (check.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? error.keyword}`);
};
