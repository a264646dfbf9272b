import { expect } from 'vitest';
import type { Database } from '../../src/db/database.js';
import type { Param, Session, Statement } from '../../src/db/statement.js';

/** Tables that stay small however large the network is: reading them completely is allowed. */
const SMALL = new Set([
  'api_key',
  'app',
  'catalog_app',
  'hub_position',
  'hub_sync',
  'job_run',
  'migration',
  'organization',
]);

/** One node of what `EXPLAIN (FORMAT JSON)` prints. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly 'Order By'?: string;
  readonly Filter?: string;
  readonly 'Sort Key'?: string[];
  readonly Plans?: PlanNode[];
}

/** A node and everything below it, in the order in which EXPLAIN prints them. */
export const planNodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(planNodes)];

/** How PostgreSQL runs one statement: once with these parameters, once for any (what it keeps after five runs). */
export interface StatementPlan {
  readonly name: string;
  readonly custom: PlanNode;
  readonly generic: PlanNode;
}

interface Explained {
  readonly 'QUERY PLAN': [{ readonly Plan: PlanNode }];
}

const onlyPlan = (rows: readonly Explained[]): PlanNode => (rows[0] as Explained)['QUERY PLAN'][0].Plan;

const genericPlan = async (session: Session, text: string, count: number): Promise<PlanNode> => {
  await session.script('set local plan_cache_mode = force_generic_plan');
  await session.script(`prepare explained as ${text}`);
  const nulls = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`;
  const plan = onlyPlan(await session.run<Explained>(`explain (format json) execute explained${nulls}`));
  await session.script('deallocate explained');
  return plan;
};

export interface PlanOptions {
  /**
   * With sequential scans made dear, so that what is left of them has no index to go by. For tables with few rows,
   * where reading them whole is the best plan; without it the planner's own choice is seen, and the test must
   * provide rows (10,000 and more) and run `analyze`.
   */
  readonly fewRows?: boolean;
}

/** @returns the plans of one prepared read. */
export const explain = (
  db: Database,
  { name, text }: Statement<unknown>,
  params: readonly Param[],
  { fewRows = false }: PlanOptions = {},
): Promise<StatementPlan> =>
  db.transaction(async (session) => {
    if (fewRows) await session.script('set local enable_seqscan = off');
    const custom = onlyPlan(await session.run<Explained>(`explain (format json) ${text}`, params));
    return { name, custom, generic: await genericPlan(session, text, params.length) };
  });

/** @returns the plans of every prepared read that `work` sends, in order: a handler's or a store function's. */
export const explainReads = async (
  db: Database,
  work: (watched: Database) => Promise<unknown>,
  options: PlanOptions = {},
): Promise<StatementPlan[]> => {
  const sent: [Statement<unknown>, readonly Param[]][] = [];
  const read: Database['read'] = (statement, params) => {
    sent.push([statement, params]);
    return db.read(statement, params);
  };
  await work(new Proxy(db, { get: (target, name) => (name === 'read' ? read : Reflect.get(target, name)) }));
  const plans: StatementPlan[] = [];
  for (const [statement, params] of sent) plans.push(await explain(db, statement, params, options));
  return plans;
};

/** Whether a node reads a whole index, which is no better than the whole table: it has no condition and no order. */
const walksAll = (node: PlanNode): boolean => {
  const type = node['Node Type'];
  if (type === 'Seq Scan') return !SMALL.has(node['Relation Name'] ?? '');
  if (type === 'Index Scan' || type === 'Index Only Scan' || type === 'Bitmap Index Scan') {
    return node['Index Cond'] === undefined && node['Order By'] === undefined;
  }
  return false;
};

/** @returns one line for each growing table, or index of one, that a plan reads from end to end. */
export const scansOf = ({ name, custom, generic }: StatementPlan): string[] =>
  Object.entries({ custom, generic }).flatMap(([kind, plan]) =>
    planNodes(plan)
      .filter(walksAll)
      .map(
        (node) => `${name} (${kind}): ${node['Node Type']} ${node['Index Name'] ?? ''} ${node['Relation Name'] ?? ''}`,
      ),
  );

/** Fails when one of the plans reads a growing table from end to end, or when there is no plan at all. */
export const expectIndexed = (plans: StatementPlan | readonly StatementPlan[]): void => {
  const all = [plans].flat() as StatementPlan[];
  expect(all).not.toEqual([]);
  expect(all.flatMap(scansOf)).toEqual([]);
};
