import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { integerFormats } from '../../src/schema/format.js';

type Json = { readonly [keyword: string]: unknown };
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Json>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json;
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
for (const [name, format] of Object.entries(integerFormats)) ajv.addFormat(name, format);

/** Makes references absolute, because the validator stores the document under one name. */
const qualified = (node: unknown): unknown =>
  JSON.parse(JSON.stringify(node).replaceAll('"$ref":"#/', '"$ref":"own#/'));

ajv.addVocabulary(['components', 'example', 'discriminator']);
ajv.addSchema(qualified({ $id: 'own', components: document.components }) as Json);

/** @returns the values that `openapi.json` lists for a named enumeration */
export const listedValues = (name: string): readonly unknown[] => {
  const schemas = document.components.schemas as Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  return schemas[name]?.enum ?? [];
};

const compiled = new Map<string, ValidateFunction>();

const compile = (operationId: string, status: number): ValidateFunction => {
  const operation = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find((one) => one.operationId === operationId);
  const response = operation?.responses[String(status)] ?? operation?.responses.default;
  const schema = (response?.content as Record<string, { schema: Json }> | undefined)?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`openapi.json describes no JSON of status ${status} of ${operationId}`);
  return ajv.compile(qualified(schema) as Json);
};

/**
 * Validates a response against the committed `openapi.json` alone.
 * @param body the parsed JSON body
 * @returns one line for each difference; empty if the response is valid
 * @throws Error if the file does not describe the operation or the status
 */
export const differencesFromOwnDescription = (operationId: string, status: number, body: unknown): string[] => {
  const key = `${operationId} ${status}`;
  const check = compiled.get(key) ?? compile(operationId, status);
  compiled.set(key, check);
  check(body);
  return (check.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? error.keyword}`);
};
