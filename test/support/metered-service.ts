import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { DEFAULT_ORGANIZATION_ID } from '../../src/access/key.js';
import { type Operation, operation } from '../../src/api/http/operation.js';
import { AppError } from '../../src/error.js';
import type { Network } from './network.js';

/** Path of a call that costs 1 unit, and reads a profile or finds none. */
export const ONE_UNIT = '/v2/social/user/bulk/?fids=1';
export const OPERATION = 'fetch-bulk-users';

/** @returns the path of the same call with this cost, at most 100 units */
export const unitsPath = (units: number): string =>
  `/v2/social/user/bulk/?fids=${Array.from({ length: units }, (_, index) => index + 1).join(',')}`;

/** Writes plans to a file. @param units by id of the plan; null: without limit. @returns the file's path */
export const writePlans = (units: Readonly<Record<string, number | null>>): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'castellan-plans-')), 'plans.json');
  const plans = Object.entries(units).map(([id, most], index) => ({
    id,
    name: `Plan ${id}`,
    category: 'API',
    tier: id,
    priceCents: 100 * index,
    units: most,
    requestsPerMinute: null,
    webhooks: null,
    apps: null,
  }));
  writeFileSync(file, JSON.stringify({ plans }));
  return file;
};

/**
 * @returns settings under which an organization has this many units a period; there are also the plans `of-10`,
 *   `of-100`,
 * and so on up to a million, and `endless`
 */
export const metered = (mode: 'enforce' | 'observe' | 'off', units: number): Record<string, string> => {
  const powers = [10, 100, 1000, 10_000, 100_000, 1_000_000];
  const others = Object.fromEntries(powers.map((most) => [`of-${most}`, most]));
  return {
    CASTELLAN_QUOTA_MODE: mode,
    CASTELLAN_PLANS_FILE: writePlans({ small: units, ...others, endless: null }),
    CASTELLAN_DEFAULT_PLAN: 'small',
  };
};

/** Operations that cost 1 unit each: one that fails on demand, one that waits until it is released. */
export const unusualCostOperations = (): {
  readonly operations: readonly Operation[];
  release(): void;
} => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const base = { tags: ['Test'], title: 'Test', summary: 'For tests.', cost: { fixed: 1 } };
  const answer = Type.Object({ isFine: Type.Boolean() });
  const operations = [
    operation({
      ...base,
      id: 'test-fail',
      path: '/v2/test/fail/',
      query: Type.Object({ kind: Type.String() }),
      response: answer,
      errors: [404, 500, 502, 504],
      handle: ({ query }): { isFine: boolean } => {
        if (query.kind === 'none') return { isFine: true };
        if (query.kind === 'crash') throw new Error('something broke');
        throw new AppError(query.kind as 'bad_gateway', 'Test', 'it fails as told');
      },
    }),
    operation({
      ...base,
      id: 'test-wait',
      path: '/v2/test/wait/',
      response: answer,
      errors: [],
      handle: async () => {
        await released;
        return { isFine: true };
      },
    }),
  ];
  return { operations, release };
};

/** Stored usage of the organization of new installations. */
export interface Books {
  readonly used: number;
  readonly calls: number;
  readonly units: number;
}

export const EMPTY_USAGE = `
  select s.used_units as used,
         coalesce((select sum(d.calls) from usage_day d where d.organization_id = s.organization_id), 0)::bigint as calls,
         coalesce((select sum(d.units) from usage_day d where d.organization_id = s.organization_id), 0)::bigint as units
    from subscription s where s.organization_id = '${DEFAULT_ORGANIZATION_ID}'`;

export const usageRecordsOf = async (network: Network): Promise<Books> =>
  (await network.app.core.db.run<Books>(EMPTY_USAGE))[0] as Books;

/** Sets how many units the organization has used in its period. */
export const setUsed = async (network: Network, units: number): Promise<void> => {
  await network.sql('update subscription set used_units = $1 where organization_id = $2', [
    units,
    DEFAULT_ORGANIZATION_ID,
  ]);
};

/** @returns the number of responses by status */
export const statuses = (answers: readonly { readonly status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
