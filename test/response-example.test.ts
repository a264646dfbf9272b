import { statSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { secretsIn } from '../scripts/example/secret.js';
import { WITHOUT_RESPONSE } from '../scripts/example/without-response.js';
import { buildDocument } from '../src/api/openapi/document.js';
import { type ResponseExamples, readResponseExamples } from '../src/api/openapi/response-example.js';
import { operations } from '../src/api/operation-list.js';
import { integerFormats } from '../src/schema/format.js';
import { DIALECTS } from '../src/schema/wire-names.js';

const FILE = new URL('../src/api/openapi/response-example.json', import.meta.url);
const MAX_BYTES = 400 * 1024;

interface Media {
  readonly schema: object;
  readonly examples?: { readonly sample: { readonly value: unknown } };
}
interface Written {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
  readonly components: object;
}

let examples: ResponseExamples;
beforeAll(async () => {
  examples = await readResponseExamples();
});

/** Makes references absolute, because the validator stores the document under one name. */
const qualified = (node: unknown): object =>
  JSON.parse(JSON.stringify(node).replaceAll('"$ref":"#/', '"$ref":"own#/')) as object;

const validator = ({ components }: Document): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(integerFormats)) ajv.addFormat(name, format);
  return ajv.addSchema(qualified({ $id: 'own', components }));
};

describe('examples of responses', () => {
  test('stand beside every operation, or a reason stands in a list', () => {
    const without = operations.map(({ id }) => id).filter((id) => !(id in examples));
    expect(without.sort(), 'run `npm run examples`').toEqual(Object.keys(WITHOUT_RESPONSE).sort());
    const known = new Set(operations.map(({ id }) => id));
    expect(Object.keys(examples).filter((id) => !known.has(id))).toEqual([]);
    for (const reason of Object.values(WITHOUT_RESPONSE)) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });

  test.each(DIALECTS)('fit what the document in %s names says of them', (dialect) => {
    const document = buildDocument(operations, '/', dialect, examples) as Document;
    const ajv = validator(document);
    const faults: string[] = [];
    let checked = 0;
    for (const { operationId, responses } of Object.values(document.paths).flatMap((item) => Object.values(item)))
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const { schema, examples: shown } of Object.values(content)) {
          if (shown === undefined) continue;
          checked++;
          const check = ajv.compile(qualified(schema));
          check(shown.sample.value);
          for (const { instancePath, message } of check.errors ?? [])
            faults.push(`${operationId} ${status}${instancePath} ${message}`);
        }
    expect(faults).toEqual([]);
    // Some responses have names that their schema does not tell, so they have no example in the other names.
    const all = Object.values(examples).flatMap((one) => Object.keys(one)).length;
    expect(checked).toBeGreaterThanOrEqual(dialect === 'neutral' ? all : all - 5);
  });

  test('have no credentials, and name no server of the run that gave them', () => {
    for (const [id, example] of Object.entries(examples)) expect(secretsIn(example, id)).toEqual([]);
    const hosts = JSON.stringify(examples).match(/(?:127\.0\.0\.1|localhost):\d+/g) ?? [];
    expect([...new Set(hosts)].sort()).toEqual(['127.0.0.1:3000', 'localhost:3000']);
  });

  test('have something in most lists, and are small together', () => {
    const empty = Object.values(examples).filter((example) => /":\[\]\}?,?"?(next|\})/.test(JSON.stringify(example)));
    expect(empty.length).toBeLessThan(40);
    expect(statSync(FILE).size).toBeLessThan(MAX_BYTES);
  });
});
