import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../config/reader.js';
import { type PlanEntry, PlanFileError, parsePlanFile } from './file.js';

export interface Plan {
  /** Stored in the database: never reuse the id of another plan. */
  readonly id: string;
  /** Display name; unique within its category, ignoring case. */
  readonly name: string;
  readonly category: 'API' | 'STUDIO';
  readonly tier: string;
  /** US cents a month. */
  readonly priceCents: number;
  /** Compute units a month; null: without limit. */
  readonly units: number | null;
  /** For each key and operation; null: without limit. */
  readonly requestsPerMinute: number | null;
  readonly webhooks: number | null;
  readonly apps: number | null;
  /** The payment provider's ids of the price and of the product. */
  readonly paymentPriceId?: string;
  readonly paymentProductId?: string;
  /** false: only operators may give this plan; organizations that have it keep it. */
  readonly offered?: boolean;
}

export interface Plans {
  readonly all: readonly Plan[];
  /** The default plan, of organizations without a subscription. */
  readonly fallback: Plan;
  /** @returns the plan with that id; the default plan for null and for an unknown id */
  byId(id: string | null): Plan;
  /**
   * @param word an id or a name, ignoring case; ids take precedence, and of equal names the first in the file
   * @param category narrows the search to plans of that category
   */
  find(word: string, category?: Plan['category']): Plan | undefined;
}

const SHIPPED = fileURLToPath(new URL('../../../plans.json', import.meta.url));

const sameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** @param fallbackId id of the default plan. @throws RangeError when `all` does not have it */
export const createPlans = (all: readonly Plan[], fallbackId: string): Plans => {
  const find = (word: string, category?: Plan['category']): Plan | undefined => {
    const among = category === undefined ? all : all.filter((plan) => plan.category === category);
    return among.find(({ id }) => sameWord(id, word)) ?? among.find(({ name }) => sameWord(name, word));
  };
  const byId = new Map(all.map((plan) => [plan.id, plan]));
  const fallback = find(fallbackId);
  if (fallback === undefined) throw new RangeError(`there is no plan ${fallbackId}`);
  return { all, fallback, find, byId: (id) => (id === null ? undefined : byId.get(id)) ?? fallback };
};

const readEntries = (path: string, problems: ConfigError['problems'][number][]): readonly PlanEntry[] => {
  try {
    return parsePlanFile(readFileSync(path, 'utf8'));
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code !== undefined;
    if (!isAbsent && !(error instanceof PlanFileError)) throw error;
    const what = isAbsent
      ? 'cannot be read: give the path of a JSON file, or leave CASTELLAN_PLANS_FILE out'
      : (error as Error).message;
    problems.push({ variable: 'CASTELLAN_PLANS_FILE', problem: `the file ${path} ${what}.` });
    return [];
  }
};

/**
 * Reads the configured plan file, or the one of the package.
 * @throws ConfigError for a file that cannot be read or is not valid, and for an unknown default plan
 */
export const readPlans = (config: { readonly plansFile: string | undefined; readonly defaultPlan: string }): Plans => {
  const problems: ConfigError['problems'][number][] = [];
  const all = readEntries(config.plansFile ?? SHIPPED, problems);
  if (problems.length === 0 && !all.some(({ id }) => id === config.defaultPlan)) {
    const ids = all.map(({ id }) => id).join(', ');
    const problem = `"${config.defaultPlan}" is the id of no plan: use one of ${ids}, or add it to the file of CASTELLAN_PLANS_FILE.`;
    problems.push({ variable: 'CASTELLAN_DEFAULT_PLAN', problem });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return createPlans(all, config.defaultPlan);
};
