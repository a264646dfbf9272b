import type { Session } from '../../db/statement.js';
import { AppError, invalidField, notFound } from '../../error.js';
import { type InvoiceRow, selectOpenInvoices } from '../../store/billing/invoice.js';
import { hasOpenPlanChange } from '../../store/billing/plan-change.js';
import { selectPlanPreview } from '../../store/billing/plan-preview.js';
import { type Subscription, selectSubscriptionForUpdate } from '../../store/billing/subscription.js';
import type { BillingDependencies } from './dependencies.js';
import { utcDay } from './period.js';
import type { Plan, Plans } from './plan.js';
import { type ChangeKind, type Cost, type Holding, kindOf, laterCost, settle, upgradeCost } from './proration.js';
import { isProviderManaged, renewLocked } from './renewal.js';
import { lockSubscription } from './subscription-lock.js';

/** How long the price of a preview is valid. */
export const PREVIEW_MS = 10 * 60_000;

/** Requested plan of an organization. */
export interface Wanted {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly now: Date;
}

/** Kind and cost of a plan change; valid while the row is locked. */
export interface PlanChangeQuote {
  readonly row: Subscription;
  readonly current: Plan;
  readonly holding: Holding;
  readonly kind: ChangeKind;
  readonly cost: Cost;
  /** Units used when the cost was calculated; units used after that count in the new period. */
  readonly usedUnits: number;
}

/** Only open invoices prevent the change, and the payment provider can charge them now. */
export class InvoiceOpen extends AppError {
  constructor(
    message: string,
    /** The provider's ids of the invoices. */
    readonly references: readonly string[],
    options: ConstructorParameters<typeof AppError>[3],
  ) {
    super('payment_required', 'PaymentRequired', message, options);
  }
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** Statuses of a subscription in which a payment is due. */
const UNPAID: ReadonlySet<string | null> = new Set(['past_due', 'unpaid', 'incomplete']);

/** Status of a subscription that the provider has paused: it is not billed, has no periods and cannot be charged. */
const PAUSED = 'paused';

/** @returns the current plan, and its price for the organization in US cents a month */
const currentOf = (plans: Plans, { planId, status }: Subscription): { readonly plan: Plan; readonly cents: number } => {
  if (planId === null || status === 'canceled') return { plan: plans.fallback, cents: 0 };
  const plan = plans.all.find(({ id }) => id === planId);
  if (plan) return { plan, cents: plan.priceCents };
  const message = `The plan of this organization, ${planId}, is no longer among the plans. Ask the operator to bring it back.`;
  throw new AppError('conflict', 'PlanGone', message);
};

/** @throws AppError when another provider than the configured one manages the subscription */
const requireProvider = (row: Subscription, { provider }: Pick<BillingDependencies, 'provider'>): void => {
  if (!isProviderManaged(row) || row.provider === provider.name) return;
  const message = `The subscription is kept by ${row.provider}, but payments are set up with ${provider.name}. Ask the operator.`;
  throw new AppError('conflict', 'OtherProvider', message);
};

/**
 * Rejects a plan change while the provider renews the period: it would be scheduled for the wrong period, at an outdated
 * price.
 * @throws AppError until the provider's renewal event has arrived
 */
const requireRenewed = (row: Subscription, now: Date): void => {
  if (!isProviderManaged(row) || row.status === PAUSED || row.periodEnd > now) return;
  const message = 'The subscription is being renewed. Try again in a minute.';
  throw new AppError('conflict', 'RenewalUnderway', message, { retryAfter: 60 });
};

/** @returns the provider's ids of the open invoices; undefined when it cannot charge all of them */
const collectableInvoices = (
  row: Subscription,
  open: readonly InvoiceRow[],
  { provider }: Pick<BillingDependencies, 'provider'>,
): readonly string[] | undefined => {
  if (provider.collect === undefined || !isProviderManaged(row) || open.length === 0) return undefined;
  const references = open.flatMap(({ providerReference }) => providerReference ?? []);
  return references.length === open.length ? references : undefined;
};

/**
 * @param isPreview true: an open invoice that the upgrade would charge first counts as paid
 * @returns the subscription, with the amount that settles its period
 * @throws AppError while an invoice is not paid or the subscription is paused: {@link InvoiceOpen} if the provider can
 * charge the invoices
 */
const requirePaid = async (
  deps: BillingDependencies,
  session: Session,
  row: Subscription,
  isPreview: boolean,
): Promise<Subscription> => {
  const { fallback } = deps.plans;
  const paymentMethod =
    row.paymentBrand !== null && row.paymentLast4 !== null
      ? { paymentMethod: { brand: row.paymentBrand, last4: row.paymentLast4 } }
      : {};
  if (isProviderManaged(row) && row.status === PAUSED) {
    const message = `The subscription is paused at the payment provider. Ask the operator of this server to resume it there; or end it by a change to the plan ${fallback.name}, then change to the plan that you want.`;
    throw new AppError('payment_required', 'PaymentRequired', message, paymentMethod);
  }
  const all = await selectOpenInvoices(session, row.organizationId);
  const [open, ...more] = all;
  if (open === undefined && !UNPAID.has(row.status)) return row;
  const what = open
    ? `The invoice ${open.id} of ${dollars(open.amountCents)} is not paid yet.`
    : 'The last invoice is not paid yet.';
  const message = `${what} Pay it, then change the plan.`;
  const references = collectableInvoices(row, all, deps);
  if (references === undefined) {
    throw new AppError('payment_required', 'PaymentRequired', message, paymentMethod);
  }
  const isOfPeriod = more.length === 0 && open?.periodStart.getTime() === row.periodStart.getTime();
  if (isPreview && isOfPeriod && !UNPAID.has(row.status)) return { ...row, paidCents: open.priceCents };
  throw new InvoiceOpen(message, references, paymentMethod);
};

/** @returns price for a subscriber in US cents a month; the default plan costs nothing, even if it has a price */
export const priceOf = (plans: Plans, plan: Plan): number => (plan.id === plans.fallback.id ? 0 : plan.priceCents);

const kindFor = (
  plan: Plan,
  plans: Plans,
  current: { readonly plan: Plan; readonly cents: number },
  row: Subscription,
): ChangeKind => {
  if (plan.id === current.plan.id) {
    if (row.nextPlanId !== null) return 'keep';
    throw invalidField('newPlan', `The organization has the plan ${plan.name} already.`);
  }
  if (plan.id === row.nextPlanId) {
    throw invalidField(
      'newPlan',
      `The change to the plan ${plan.name} is arranged already, for ${utcDay(row.periodEnd)}.`,
    );
  }
  return kindOf(current.cents, priceOf(plans, plan));
};

/** @returns the latest preview if it is valid: recent, and the subscription and the price are unchanged */
const selectValidPreview = async (
  session: Session,
  row: Subscription,
  { plan, now }: Wanted,
): Promise<{ readonly usedUnits: number; readonly unusedCents: number } | undefined> => {
  const since = new Date(now.getTime() - PREVIEW_MS);
  const seen = await selectPlanPreview(session, { organizationId: row.organizationId, planId: plan.id, since });
  const isUnchanged =
    seen !== undefined &&
    seen.fromPlanId === row.planId &&
    seen.periodStart.getTime() === row.periodStart.getTime() &&
    seen.paidCents === row.paidCents &&
    seen.balanceCents === row.creditCents &&
    seen.priceCents === plan.priceCents;
  return isUnchanged ? seen : undefined;
};

/**
 * Calculates the cost of a plan change. Locks the subscription until the caller's transaction ends, and renews an ended
 * period first.
 * @param useLatestPreview whether a valid preview determines the price
 * @throws AppError as `previewChange`
 */
export const quotePlanChange = async (
  deps: BillingDependencies,
  session: Session,
  wanted: Wanted,
  useLatestPreview: boolean,
): Promise<PlanChangeQuote> => {
  const { organizationId, plan, now } = wanted;
  const found = await lockSubscription(session, organizationId);
  if (found === undefined) throw notFound('There is no such organization.');
  if (await hasOpenPlanChange(session, organizationId)) {
    const message = 'Another change of the plan is under way. Try again when it is done, in a minute at most.';
    throw new AppError('conflict', 'ChangeUnderway', message, { retryAfter: 60 });
  }
  const isRenewed = await renewLocked(deps, session, found, now);
  const row = (isRenewed && (await selectSubscriptionForUpdate(session, organizationId))) || found;
  requireProvider(row, deps);
  requireRenewed(row, now);
  const current = currentOf(deps.plans, row);
  const kind = kindFor(plan, deps.plans, current, row);
  const paid = kind === 'upgrade' ? await requirePaid(deps, session, row, !useLatestPreview) : row;
  const { usedUnits, paidCents, creditCents: balanceCents } = paid;
  const holding = { priceCents: current.cents, units: current.plan.units, usedUnits, paidCents, balanceCents };
  const changeQuote = { row: paid, current: current.plan, holding, kind };
  if (kind !== 'upgrade') return { ...changeQuote, cost: laterCost(holding), usedUnits };
  const seen = useLatestPreview ? await selectValidPreview(session, row, wanted) : undefined;
  const cost = upgradeCost({ ...holding, usedUnits: seen?.usedUnits ?? usedUnits }, plan.priceCents);
  if (seen === undefined || seen.unusedCents === cost.unusedCents) {
    return { ...changeQuote, cost, usedUnits: seen?.usedUnits ?? usedUnits };
  }
  // The price or size of the current plan has changed since the preview, whose price applies.
  const previewed = {
    ...cost,
    unusedCents: seen.unusedCents,
    ...settle(plan.priceCents, seen.unusedCents + balanceCents),
  };
  return { ...changeQuote, cost: previewed, usedUnits: seen.usedUnits };
};
