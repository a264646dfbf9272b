import type { Plans } from '../../billing/plan/plan.js';
import { subscribedPlanId } from '../../billing/plan/subscribed-plan-id.js';
import type { ListedOrganization } from '../../store/access/organization.js';
import { defineCommand } from '../terminal/command.js';
import { day } from '../terminal/format.js';

const rowOf = (plans: Plans, one: ListedOrganization) => {
  const subscribed = subscribedPlanId(one);
  return {
    id: one.id,
    name: one.name,
    status: one.organizationStatus,
    plan: subscribed ?? plans.fallback.id,
    /** Without a subscription, it has the default plan. */
    subscribed: subscribed !== null,
    subscription_status: one.status,
    next_plan: one.nextPlanId,
    used_units: one.usedUnits,
    /** Null: as many as it likes. */
    plan_units: plans.byId(subscribed).units,
    period_end: one.periodEnd,
    created_at: one.createdAt,
  };
};
type Row = ReturnType<typeof rowOf>;

const planOf = ({ plan, subscribed, subscription_status: status, next_plan, period_end }: Row): string => {
  const state = status === null || status === 'active' ? '' : `, ${status}`;
  const next = next_plan === null ? '' : `, ${next_plan} from ${day(period_end)}`;
  return `${plan}${subscribed ? '' : ' (default)'}${state}${next}`;
};

const usageOf = ({ used_units, plan_units }: Row): string =>
  `${used_units.toLocaleString('en-US')} of ${plan_units === null ? 'unlimited' : plan_units.toLocaleString('en-US')}`;

export const orgListCommand = defineCommand({
  name: 'org list',
  summary: 'List the organizations: their plans, what they used of them, and when their periods end',
  examples: [
    ['castellan org list', 'list all organizations'],
    ["castellan org list --json | jq '.[] | {name, plan, used_units}'", 'print who used how much'],
  ],
  run: async ({ openDatabase, config }, _input, output) => {
    const [{ selectOrganizations }, { readPlans }] = await Promise.all([
      import('../../store/access/organization.js'),
      import('../../billing/plan/plan.js'),
    ]);
    const plans = readPlans(config.billing);
    const organizations = (await selectOrganizations(await openDatabase())).map((one) => rowOf(plans, one));
    output.list(organizations, 'There is no organization yet: the first start of a service makes one.', {
      Id: 'id',
      Name: 'name',
      Status: 'status',
      Plan: planOf,
      'Units used': usageOf,
      'Period ends': (one) => day(one.period_end),
    });
  },
});
