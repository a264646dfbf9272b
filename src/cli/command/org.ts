import type { Plan, Plans } from '../../billing/plan/plan.js';
import type { ListedOrganization } from '../../store/access/organization.js';
import { readName } from '../option/name.js';
import { findPlan, openBilling, readEmail, readOrganizationId } from '../option/organization.js';
import { type CommandContext, defineCommand, UsageError } from '../terminal/command.js';
import { day, dollars } from '../terminal/format.js';
import type { Output } from '../terminal/output.js';

const GRANT_OPTION = '--grant';
const GRANT_TEXT = 'give the plan at once and charge nothing until the next period';

interface PlanChange {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly isGrant: boolean;
}

/** Changes a plan with payment, or grants it, and prints the result. */
const changePlan = async (
  { context, output }: { readonly context: CommandContext; readonly output: Output },
  { organizationId, plan, isGrant }: PlanChange,
): Promise<void> => {
  const db = await context.openDatabase();
  const money = await openBilling(context, db);
  const now = new Date();
  if (isGrant) {
    const { grantPlan } = await import('../../billing/plan/grant.js');
    await grantPlan(money, { organizationId, plan, now });
    output.note(`It has the plan ${plan.name} now. Nothing is charged for the running period.`);
    return;
  }
  const { applyChange } = await import('../../billing/plan/change.js');
  const applied = await applyChange(money, { organizationId, plan, keyId: null, requestId: null, now });
  if (applied.kind === 'downgrade') output.note(`It changes to the plan ${plan.name} when the running period ends.`);
  else if (applied.kind === 'keep')
    output.note(`It keeps the plan ${plan.name}: the change that waited is taken back.`);
  else {
    const { chargeCents, creditCents } = applied;
    output.note(
      `It has the plan ${plan.name} now: ${dollars(chargeCents)} charged, ${dollars(creditCents)} taken off.`,
    );
  }
};

export const orgCreateCommand = defineCommand({
  name: 'org create',
  summary: 'Make an organization and print its id; its apps and their keys share its plan and its bill',
  configure: (command) =>
    command
      .argument('<name>', 'what it is called')
      .option('--email <address>', 'where invoices go to')
      .option('--plan <plan>', 'what it subscribes to, by id or name (default: the plan of CASTELLAN_DEFAULT_PLAN)')
      .option(GRANT_OPTION, `with --plan: ${GRANT_TEXT}`),
  input: ({ args, options: { email, plan, grant } }) => {
    if (grant === true && plan === undefined) throw new UsageError('--grant goes with --plan.');
    return {
      name: readName(args[0]),
      email: email === undefined ? undefined : readEmail(email),
      plan: plan as string | undefined,
      isGrant: grant === true,
    };
  },
  run: async (context, { name, email, plan: word, isGrant }, output) => {
    const { makeOrganization } = await import('../../access/organization.js');
    const db = await context.openDatabase();
    // Find the plan first, so that an invalid one creates no organization.
    const plan = word === undefined ? undefined : findPlan((await openBilling(context, db)).plans, word);
    const billing = email === undefined ? {} : { billingEmail: email };
    const { id } = await makeOrganization(db, { name, now: new Date(), ...billing });
    output.line(id);
    output.note(
      `Organization ${id} (${name}) is made: \`castellan app create --organization ${id} NAME\` gives it an app.`,
    );
    if (plan) await changePlan({ context, output }, { organizationId: id, plan, isGrant });
  },
});

const planOf = (plans: Plans, { planId, status, nextPlanId, periodEnd }: ListedOrganization): string => {
  const present = planId === null || status === 'canceled' ? `${plans.fallback.id} (default)` : planId;
  const state = status === null || status === 'active' ? '' : `, ${status}`;
  return `${present}${state}${nextPlanId === null ? '' : `, ${nextPlanId} from ${day(periodEnd)}`}`;
};

const usageOf = (plans: Plans, { planId, status, usedUnits }: ListedOrganization): string => {
  const { units } = plans.byId(status === 'canceled' ? null : planId);
  return `${usedUnits.toLocaleString('en-US')} of ${units === null ? 'unlimited' : units.toLocaleString('en-US')}`;
};

export const orgListCommand = defineCommand({
  name: 'org list',
  summary: 'List the organizations: their plans, what they used of them, and when their periods end',
  run: async ({ openDatabase, config }, _input, output) => {
    const [{ selectOrganizations }, { readPlans }] = await Promise.all([
      import('../../store/access/organization.js'),
      import('../../billing/plan/plan.js'),
    ]);
    const plans = readPlans(config.billing);
    const organizations = await selectOrganizations(await openDatabase());
    output.list(organizations, 'There is no organization yet: the first start of a service makes one.', {
      Id: (one) => one.id,
      Name: (one) => one.name,
      Status: (one) => one.organizationStatus,
      Plan: (one) => planOf(plans, one),
      'Units used': (one) => usageOf(plans, one),
      'Period ends': (one) => day(one.periodEnd),
    });
  },
});

export const orgPlanCommand = defineCommand({
  name: 'org plan',
  summary: "Change an organization's plan, as it could itself: dearer at once, cheaper when its period ends",
  configure: (command) =>
    command
      .argument('<organization>', 'its id, as `org list` shows it')
      .argument('<plan>', 'the plan, by id or name')
      .option(GRANT_OPTION, GRANT_TEXT),
  input: ({ args, options }) => ({
    id: readOrganizationId(args[0]),
    plan: args[1] as string,
    isGrant: options.grant === true,
  }),
  run: async (context, { id, plan: word, isGrant }, output) => {
    const [{ selectOrganization }, { noOrganization }] = await Promise.all([
      import('../../store/access/organization.js'),
      import('../../access/organization.js'),
    ]);
    const db = await context.openDatabase();
    const plan = findPlan((await openBilling(context, db)).plans, word);
    if ((await selectOrganization(db, id)) === undefined) throw noOrganization(id);
    await changePlan({ context, output }, { organizationId: id, plan, isGrant });
  },
});

const STATUSES = ['active', 'inactive'] as const;

export const orgSetCommand = defineCommand({
  name: 'org set',
  summary: 'Change an organization: its name, where invoices go to, or whether its keys work',
  configure: (command) =>
    command
      .argument('<organization>', 'its id, as `org list` shows it')
      .option('--name <name>', 'what it is called')
      .option('--email <address>', 'where invoices go to, or none')
      .option('--status <status>', 'active, or inactive: its keys are refused from the next second on'),
  input: ({ args, options: { name, email, status } }) => {
    const id = readOrganizationId(args[0]);
    if (name === undefined && email === undefined && status === undefined) {
      throw new UsageError('Say what to change: --name, --email or --status.');
    }
    const known = STATUSES.find((one) => one === status);
    if (status !== undefined && known === undefined) {
      throw new UsageError(`--status takes active or inactive, not "${String(status)}".`);
    }
    return {
      id,
      ...(name === undefined ? {} : { name: readName(name) }),
      ...(email === undefined ? {} : { billingEmail: email === 'none' ? null : readEmail(email) }),
      ...(known === undefined ? {} : { status: known }),
    };
  },
  run: async ({ openDatabase }, change, output) => {
    const { changeOrganization } = await import('../../access/organization.js');
    const db = await openDatabase();
    const { id, name } = await changeOrganization(db, { ...change, now: new Date() });
    output.note(`Organization ${id} (${name}) is changed.`);
  },
});
