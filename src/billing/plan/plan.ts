import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../config/reader.js';
import { type PlanEntry, PlanFileError, parsePlanFile } from './file.js';

/** What an organization can subscribe to. */
export interface Plan {
  /** Stands in the database: never reuse one for something else. */
  readonly id: string;
  /** Shown to people; unique within its category, whatever the case. */
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
  /** Of the payment provider: what a subscription is to, and what it is shown under. */
  readonly paymentPriceId?: string;
  readonly paymentProductId?: string;
  /** False: organizations that have it keep it, and an operator may still give it; nobody else can change to it. */
  readonly offered?: boolean;
}

export interface Plans {
  readonly all: readonly Plan[];
  /** Of organizations that subscribe to none. */
  readonly fallback: Plan;
  /** @returns the plan of that id; the default plan for null, and for an id that is gone from the file. */
  byId(id: string | null): Plan;
  /**
   * @param word an id or a name, whatever its case; an id counts first, and of equal names the first in the file
   * @param category narrows the search to plans of that category
   */
  find(word: string, category?: Plan['category']): Plan | undefined;
}

const SHIPPED = fileURLToPath(new URL('../../../plans.json', import.meta.url));

const sameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** @param fallbackId of the plan of organizations that subscribe to none; it must be among them */
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
      ? 'cannot be read: give the path of a JSON file, or leave PLANS_FILE out'
      : (error as Error).message;
    problems.push({ variable: 'PLANS_FILE', problem: `the file ${path} ${what}.` });
    return [];
  }
};

/**
 * Reads the plans that the configuration names, or those that come with the package.
 * @throws ConfigError for a file that cannot be read or holds something else, and for a default plan that is not in it
 */
export const readPlans = (config: { readonly plansFile: string | undefined; readonly defaultPlan: string }): Plans => {
  const problems: ConfigError['problems'][number][] = [];
  const all = readEntries(config.plansFile ?? SHIPPED, problems);
  if (problems.length === 0 && !all.some(({ id }) => id === config.defaultPlan)) {
    const ids = all.map(({ id }) => id).join(', ');
    const problem = `"${config.defaultPlan}" is the id of no plan: use one of ${ids}, or add it to the file of PLANS_FILE.`;
    problems.push({ variable: 'DEFAULT_PLAN', problem });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return createPlans(all, config.defaultPlan);
};
