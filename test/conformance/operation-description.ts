import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { integerFormats } from '../../src/schema/format.js';
import { toEcosystem } from '../../src/schema/wire-names.js';
import { openClientDecoder } from '../support/client-decoder.js';
import { type Contract, contract, contractAvailable, validateAgainstContract } from '../support/contract.js';
import { inNeutral } from '../support/wire-names.js';

type Json = { readonly [keyword: string]: unknown };
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Json;
  readonly responses: Record<string, Json>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

/** What must hold of an operation, in the ecosystem's names. */
export interface Described {
  readonly id: string;
  readonly method: string;
  /** As a client calls it, with its slash at the end. */
  readonly path: string;
  /** Names of the query, the headers (lower case) and the body's first level: `query fid`, `body text`. */
  readonly parameters: readonly string[];
  /** Whether a request without any parameter is refused. */
  readonly isDemanding: boolean;
  /** Every status that is listed, `default` as 400. */
  readonly statuses: readonly number[];
  /** @returns how an answer differs from what is described: nothing where it fits */
  errorsOf(status: number, answer: unknown): string[];
}

const resolver = (document: unknown) => {
  const resolve = (node: Json): Json => {
    if (typeof node.$ref !== 'string') return node;
    const steps = node.$ref.slice(2).split('/');
    return resolve(steps.reduce<unknown>((one, key) => (one as Json)[key], document) as Json);
  };
  return resolve;
};

const jsonSchema = (part: Json): Json | undefined =>
  (part.content as Record<string, { schema?: Json }> | undefined)?.['application/json']?.schema;

/** Names of the first level of a body, whichever of its forms they are in. */
const membersOf = (schema: Json, resolve: (node: Json) => Json): string[] => {
  const node = resolve(schema);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (node[keyword] as Json[] | undefined) ?? []);
  return [
    ...Object.keys((node.properties as Json | undefined) ?? {}),
    ...parts.flatMap((part) => membersOf(part, resolve)),
  ];
};

const parametersOf = (document: unknown, operation: Operation): string[] => {
  const resolve = resolver(document);
  const named = (operation.parameters ?? []).map((one) => resolve(one as Json) as unknown as Parameter);
  const body = operation.requestBody && jsonSchema(resolve(operation.requestBody));
  return [
    ...named.map((one) => `${one.in} ${one.in === 'header' ? one.name.toLowerCase() : one.name}`),
    ...(body ? membersOf(body, resolve) : []).map((name) => `body ${name}`),
  ];
};

const translated = (parameter: string): string => {
  const [place, name] = parameter.split(' ') as [string, string];
  return `${place} ${toEcosystem.names.get(name) ?? name}`;
};

const statusesOf = ({ responses }: Operation): number[] =>
  Object.keys(responses).map((status) => (status === 'default' ? 400 : Number(status)));

const findIn = (document: Document | Contract, id: string): Operation | undefined =>
  Object.values(document.paths)
    .flatMap((item) => Object.values(item) as Operation[])
    .find(({ operationId }) => operationId === id);

/** References that lead into the document, which the validator knows by a name. */
const lead = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(lead);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' ? String(value).replace('#/', 'own#/') : lead(value),
    ]),
  );
};

/**
 * Reads the service's own description in the ecosystem's names, and the contract where it is at hand. Without it the
 * service's own must do: the pipeline holds the two against each other.
 *
 * @param document `/openapi.json?names=ecosystem`
 */
export const readDescription = (document: Document): readonly Described[] => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(integerFormats)) ajv.addFormat(name, format);
  ajv.addSchema(lead({ $id: 'own', components: (document as unknown as Json).components }) as Json);
  const resolve = resolver(document);
  const decode = openClientDecoder();
  const compiled = new Map<string, ValidateFunction>();

  const ownErrors = ({ operationId, responses }: Operation, status: number, answer: unknown): string[] => {
    // Any operation may break down, listed or not; it says so in the form of its errors.
    const response = responses[String(status)] ?? responses.default ?? (status === 500 ? responses[401] : undefined);
    if (response === undefined) return [`status ${status} is not described`];
    if (response.content === undefined) return answer === undefined ? [] : [`status ${status} has no body`];
    const key = `${operationId} ${status}`;
    const check = compiled.get(key) ?? ajv.compile(lead(jsonSchema(resolve(response)) ?? false) as Json);
    compiled.set(key, check);
    if (check(answer)) return [];
    return (check.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? error.keyword}`);
  };

  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Described => {
      const id = operation.operationId;
      const theirs = contractAvailable ? findIn(contract(), id) : undefined;
      const named = (operation.parameters ?? []) as readonly Parameter[];
      return {
        id,
        method: method.toUpperCase(),
        path,
        parameters: [
          ...new Set([
            ...parametersOf(document, operation),
            ...(theirs ? parametersOf(contract(), theirs).map(translated) : []),
          ]),
        ],
        isDemanding: operation.requestBody !== undefined || named.some(({ required }) => required === true),
        statuses: [...new Set([...statusesOf(operation), ...(theirs ? statusesOf(theirs) : [])])].sort(),
        errorsOf: (status, answer) => [
          ...ownErrors(operation, status, answer),
          // The contract has no conditional requests.
          ...(theirs && status !== 304 ? validateAgainstContract(id, status, inNeutral(answer)) : []),
          // The client's types are those of 200; the only other success is 202.
          ...(status === 200 ? decode(method, path, answer).map((fault) => `for the public client: ${fault}`) : []),
        ],
      };
    }),
  );
};
