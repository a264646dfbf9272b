import { describe, expect, it } from 'vitest';
import { DEVELOPMENT_WALLET_ID } from '../../config/wallet-id.js';
import { EXAMPLE_WALLET_UUID } from '../../schema/example.js';
import { COMMON_PARAMETERS } from '../../schema/parameter-text.js';
import { DIALECTS } from '../../schema/wire-names.js';
import { type Operation, octetStream, signedJson } from '../http/operation.js';
import { createCheck } from '../http/validation.js';
import { operations } from '../operation-list.js';
import { buildDocument } from './document.js';

interface Parameter {
  readonly name: string;
  readonly description?: string;
}
interface Written {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
}

describe.each(DIALECTS)('the OpenAPI document in %s names', (dialect) => {
  const { paths } = buildDocument(operations, '/', dialect) as { paths: Record<string, object> };
  const written = Object.values(paths).flatMap((item) => Object.values(item) as Written[]);

  it('describes every parameter', () => {
    const lacking = written.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    );
    expect(lacking, 'describe these in their schema, or in `parameters` of their operation').toEqual([]);
  });

  it('lists its tags in the order of the reference, so that none comes after the last', () => {
    const { tags } = buildDocument(operations, '/', dialect) as { tags: { name: string }[] };
    expect(tags.at(-1)?.name).toBe('System');
    expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(operations.flatMap((one) => one.tags)));
  });

  it('has an id and a short title for each operation, no two alike', () => {
    expect(written).toHaveLength(operations.length);
    expect(new Set(written.map(({ operationId }) => operationId)).size).toBe(written.length);
    expect(new Set(written.map(({ summary }) => summary.toLowerCase())).size).toBe(written.length);
    for (const { summary } of written) expect(summary).toMatch(/^[A-Z][A-Za-z' ()-]{5,50}$/);
  });
});

describe('texts and examples of the reference', () => {
  it('are about parameters that there are', () => {
    const names = ({ query, params, headers }: Operation): string[] =>
      [query, params, headers].flatMap((part) => Object.keys(part?.properties ?? {}));
    for (const one of operations)
      expect(
        Object.keys(one.parameters ?? {}).filter((name) => !names(one).includes(name)),
        one.id,
      ).toEqual([]);
    const all = new Set(operations.flatMap(names));
    expect(Object.keys(COMMON_PARAMETERS).filter((name) => !all.has(name))).toEqual([]);
  });

  it('name the wallet of a development service', () => {
    expect(EXAMPLE_WALLET_UUID).toBe(DEVELOPMENT_WALLET_ID);
  });

  it('show a valid body for each operation that takes JSON', () => {
    for (const { id, body, bodyExample } of operations) {
      if (body === undefined || body === octetStream || body === signedJson) continue;
      expect(bodyExample, id).toBeDefined();
      // The check fills in defaults.
      expect(createCheck(body)(structuredClone(bodyExample)), id).toBeUndefined();
    }
  });
});
