import { describe, expect, it } from 'vitest';
import { BODY_EXAMPLES, INCOMPLETE_BODIES } from '../../schema/body-example.js';
import { OPERATION_TITLES } from '../../schema/operation-title.js';
import { COMMON_PARAMETERS, OPERATION_PARAMETERS } from '../../schema/parameter-text.js';
import { DIALECTS } from '../../schema/wire-names.js';
import { costTable } from '../cost/table.js';
import { octetStream, signedJson } from '../http/operation.js';
import { createCheck } from '../http/validation.js';
import { routes } from '../route-list.js';
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

const operations = routes;
const byId = new Map(operations.map((one) => [one.id, one]));

describe.each(DIALECTS)('the OpenAPI document in %s names', (dialect) => {
  const { paths } = buildDocument(operations, costTable, '/', dialect) as { paths: Record<string, object> };
  const written = Object.values(paths).flatMap((item) => Object.values(item) as Written[]);

  it('describes every parameter', () => {
    const lacking = written.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    );
    expect(lacking, 'describe these in their schema, or in src/schema/parameter-text.ts').toEqual([]);
  });

  it('has an id and a short title for each operation, no two alike', () => {
    expect(written).toHaveLength(operations.length);
    expect(new Set(written.map(({ operationId }) => operationId)).size).toBe(written.length);
    expect(new Set(written.map(({ summary }) => summary.toLowerCase())).size).toBe(written.length);
    for (const { summary } of written) expect(summary).toMatch(/^[A-Z][A-Za-z' ()-]{5,50}$/);
  });
});

describe('texts and examples of the reference', () => {
  it('are about operations and parameters that there are', () => {
    const named = [OPERATION_TITLES, OPERATION_PARAMETERS, BODY_EXAMPLES, INCOMPLETE_BODIES];
    expect(named.flatMap((table) => Object.keys(table)).filter((id) => !byId.has(id))).toEqual([]);
    const names = (id: string): string[] => {
      const { query, params, headers } = byId.get(id) as (typeof operations)[number];
      return [query, params, headers].flatMap((part) => Object.keys(part?.properties ?? {}));
    };
    for (const [id, texts] of Object.entries(OPERATION_PARAMETERS))
      expect(Object.keys(texts).filter((name) => !names(id).includes(name), id)).toEqual([]);
    const all = new Set(operations.flatMap(({ id }) => names(id)));
    expect(Object.keys(COMMON_PARAMETERS).filter((name) => !all.has(name))).toEqual([]);
  });

  it('show a valid body for each operation that takes JSON', () => {
    for (const { id, body } of operations) {
      if (body === undefined || body === octetStream || body === signedJson) continue;
      expect(BODY_EXAMPLES[id], id).toBeDefined();
      expect(createCheck(body)(BODY_EXAMPLES[id]), id).toBeUndefined();
    }
  });
});
