import type { Plan } from '../../billing/plan/plan.js';
import { readName } from '../option/name.js';
import { findPlan, openBilling, readEmail, readOrganizationId } from '../option/organization.js';
import { type CommandContext, defineCommand, UsageError } from '../terminal/command.js';
import { dollars } from '../terminal/format.js';
import type { JsonObject, Output } from '../terminal/output.js';

const GRANT_OPTION = '--grant';
const GRANT_TEXT = 'give the plan at once and charge nothing until the next period';

interface PlanChange {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly isGrant: boolean;
}

/** Changes a plan with payment, or grants it, and notes what that means. @returns the same for programs */
const changePlan = async (
  { context, output }: { readonly context: CommandContext; readonly output: Output },
  { organizationId, plan, isGrant }: PlanChange,
): Promise<JsonObject> => {
  const db = await context.openDatabase();
  const money = await openBilling(context, db);
  const now = new Date();
  if (isGrant) {
    const { grantPlan } = await import('../../billing/plan/grant.js');
    await grantPlan(money, { organizationId, plan, now });
    output.note(`It has the plan ${plan.name} now. Nothing is charged for the running period.`);
    return { plan: plan.id, change: 'grant', charge_cents: 0, credit_cents: 0 };
  }
  const { applyChange } = await import('../../billing/plan/change.js');
  const applied = await applyChange(money, { organizationId, plan, keyId: null, requestId: null, now });
  const { chargeCents, creditCents } = applied;
  if (applied.kind === 'downgrade') output.note(`It changes to the plan ${plan.name} when the running period ends.`);
  else if (applied.kind === 'keep')
    output.note(`It keeps the plan ${plan.name}: the change that waited is taken back.`);
  else
    output.note(
      `It has the plan ${plan.name} now: ${dollars(chargeCents)} charged, ${dollars(creditCents)} taken off.`,
    );
  return { plan: plan.id, change: applied.kind, charge_cents: chargeCents, credit_cents: creditCents };
};

export const orgCreateCommand = defineCommand({
  name: 'org create',
  summary: 'Make an organization and print its id; its apps and their keys share its plan and its bill',
  examples: [
    ['castellan org create Acme', 'make one with the default plan; its id is printed'],
    ['castellan org create Acme --email bills@acme.example --plan growth', 'make one that pays for a plan'],
  ],
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
    output.note(
      `Organization ${id} (${name}) is made: \`castellan app create --organization ${id} NAME\` gives it an app.`,
    );
    let change: JsonObject | null = null;
    try {
      if (plan) change = await changePlan({ context, output }, { organizationId: id, plan, isGrant });
    } finally {
      // The organization is made, whether or not its plan could be paid.
      output.result({ id, name, plan_change: change }, id);
    }
  },
});

export const orgPlanCommand = defineCommand({
  name: 'org plan',
  summary: "Change an organization's plan, as it could itself: dearer at once, cheaper when its period ends",
  examples: [
    [
      'castellan org plan 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 growth',
      'change the plan, with an invoice for the difference',
    ],
    [
      'castellan org plan 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 scale --grant',
      'give the plan, and charge nothing for now',
    ],
  ],
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
    output.result({ id, ...(await changePlan({ context, output }, { organizationId: id, plan, isGrant })) });
  },
});

const STATUSES = ['active', 'inactive'] as const;

export const orgSetCommand = defineCommand({
  name: 'org set',
  summary: 'Change an organization: its name, where invoices go to, or whether its keys work',
  examples: [
    ['castellan org set 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --email bills@acme.example', 'send its invoices there'],
    ['castellan org set 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --status inactive', 'refuse all its keys'],
  ],
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
    output.result({ id, name });
    output.note(`Organization ${id} (${name}) is changed.`);
  },
});
