import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { ConfigError } from '../../config/reader.js';
import { parsePlanFile } from './file.js';
import { createPlans, type Plan, readPlans } from './plan.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

const small: Plan = {
  id: 'small',
  name: 'Small',
  category: 'API',
  tier: 'one',
  priceCents: 900,
  units: 1000,
  requestsPerMinute: 60,
  webhooks: 0,
  apps: null,
};
const parse = (...plans: object[]) => parsePlanFile(JSON.stringify({ plans }));

describe('the plans that come with the package', () => {
  const plans = readPlans({ plansFile: undefined, defaultPlan: 'free' });

  it('cost and hold what docs/billing.md says', () => {
    expect(plans.all.map((plan) => [plan.id, plan.priceCents, plan.units, plan.requestsPerMinute])).toEqual([
      ['free', 0, 10_000_000, 600],
      ['starter', 900, 25_000_000, 600],
      ['growth', 4900, 150_000_000, 900],
      ['scale', 24_900, 900_000_000, 1200],
      ['enterprise', 99_900, null, null],
    ]);
  });

  it('cost less a unit, the larger they are', () => {
    const rates = plans.all.flatMap(({ priceCents, units }) =>
      priceCents > 0 && units !== null ? [priceCents / units] : [],
    );
    expect(rates).toEqual([...rates].sort((one, other) => other - one));
  });
});

describe('looking for a plan', () => {
  const studio: Plan = { ...small, id: 'studio-small', category: 'STUDIO' };
  // Named as another one's id is.
  const tricky: Plan = { ...small, id: 'tricky', name: 'studio-small' };
  const plans = createPlans([small, tricky, studio], 'small');

  test.each([
    ['small', undefined, 'small'],
    ['SMALL', undefined, 'small'],
    ['Small', 'STUDIO', 'studio-small'],
    ['small', 'API', 'small'],
    ['Studio-Small', undefined, 'studio-small'],
    ['studio-small', 'API', 'tricky'],
    ['tricky', 'STUDIO', undefined],
    ['', undefined, undefined],
    ['smal', undefined, undefined],
  ] as const)('%j in the category %s is %s', (word, category, id) => {
    expect(plans.find(word, category)?.id).toBe(id);
  });

  it('returns the default plan for no plan id and for the id of a removed plan', () => {
    expect([plans.byId(null).id, plans.byId('gone').id, plans.byId('tricky').id]).toEqual(['small', 'small', 'tricky']);
  });
});

describe('a file of plans', () => {
  it('is read as it stands', () => {
    const one = { ...small, paymentPriceId: 'price_1', paymentProductId: 'prod_1', offered: false };
    expect(parse(one, { ...small, id: 'other', category: 'STUDIO' })).toEqual([
      one,
      { ...small, id: 'other', category: 'STUDIO' },
    ]);
  });

  test.each<[string, object[], string]>([
    ['no plan', [], 'plans must NOT have fewer than 1 items'],
    [
      'a price that is no whole number of cents',
      [{ ...small, priceCents: 9.5 }],
      'plans[0].priceCents must be integer',
    ],
    ['a price as text', [{ ...small, priceCents: '900' }], 'plans[0].priceCents must be integer'],
    ['a negative price', [{ ...small, priceCents: -1 }], 'plans[0].priceCents must be >= 0'],
    ['no units at all', [{ ...small, units: 0 }], 'plans[0].units must be >= 1'],
    [
      'an unknown category',
      [{ ...small, category: 'api' }],
      'plans[0].category must be equal to one of the allowed values: API, STUDIO',
    ],
    ['an id with a space', [{ ...small, id: 'my plan' }], 'plans[0].id must match pattern'],
    ['a misspelt member', [{ ...small, unit: 5 }], '"unit" is not known'],
    ['two of one id', [small, { ...small, name: 'Else' }], 'plans[1].id is that of plans[0] too'],
    ['two of one name', [small, { ...small, id: 'b', name: 'sMALL' }], 'plans[1].name is that of plans[0] too'],
  ])('with %s is refused', (_what, plans, problem) => {
    expect(() => parse(...plans)).toThrow(problem);
  });

  test.each(['', '[]', '{"plans": {}}', 'null', '{"plans": []', '{"plans": [], "more": 1}'])(
    '%j is refused',
    (text) => {
      expect(() => parsePlanFile(text)).toThrow(/^is no(t JSON| list of plans): /);
    },
  );
});

describe('the settings', () => {
  const write = (text: string): string => {
    const path = join(folder, 'plans.json');
    writeFileSync(path, text);
    return path;
  };
  const problemsOf = (plansFile: string | undefined, defaultPlan: string) => {
    try {
      readPlans({ plansFile, defaultPlan });
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  };

  it('may name another file, which replaces all plans', () => {
    const plansFile = write(JSON.stringify({ plans: [small] }));
    expect(readPlans({ plansFile, defaultPlan: 'small' }).all).toEqual([small]);
    expect(problemsOf(plansFile, 'free')).toEqual([
      { variable: 'CASTELLAN_DEFAULT_PLAN', problem: expect.stringMatching(/"free" .* use one of small/) },
    ]);
  });

  it('report an unreadable plans file and an invalid plans file differently', () => {
    const absent = join(folder, 'absent.json');
    expect(problemsOf(absent, 'free')).toEqual([
      { variable: 'CASTELLAN_PLANS_FILE', problem: expect.stringContaining(`${absent} cannot be read`) },
    ]);
    const [problem] = problemsOf(write('{"plans": [{}]}'), 'free');
    expect(problem).toMatchObject({
      variable: 'CASTELLAN_PLANS_FILE',
      problem: expect.stringContaining("property 'priceCents'"),
    });
  });
});
