import { AppError, invalidField, notFound } from '../../error.js';
import type { Session } from '../../store/database.js';
import { type InvoiceRow, selectOpenInvoices } from '../../store/invoice.js';
import { isChangeUnderway } from '../../store/plan-change.js';
import { selectPlanPreview } from '../../store/plan-preview.js';
import { type Subscription, selectSubscriptionForUpdate } from '../../store/subscription.js';
import type { MoneyParts } from '../money-parts.js';
import type { Plan, Plans } from './plan.js';
import { type ChangeKind, type Cost, type Holding, kindOf, laterCost, settle, upgradeCost } from './proration.js';
import { isKeptOutside, renewLocked } from './renewal.js';
import { lockSubscription } from './subscription-lock.js';

/** How long an upgrade costs what its preview said. */
export const PREVIEW_MS = 10 * 60_000;

/** Who wants which plan, when. */
export interface Wanted {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly now: Date;
}

/** What a change comes to; holds as long as the row's lock does. */
export interface Reckoned {
  readonly row: Subscription;
  readonly current: Plan;
  readonly holding: Holding;
  readonly kind: ChangeKind;
  readonly cost: Cost;
  /** The use that the cost was reckoned with: what is used after it counts into the new period. */
  readonly usedUnits: number;
}

/** Invoices are open that the payment provider may collect now, or has collected; nothing else is in the way. */
export class InvoiceOpen extends AppError {
  constructor(
    message: string,
    /** The provider's names of them. */
    readonly references: readonly string[],
    options: ConstructorParameters<typeof AppError>[3],
  ) {
    super('payment_required', 'PaymentRequired', message, options);
  }
}

const day = (time: Date): string => time.toISOString().slice(0, 10);
const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** Of the statuses of a subscription those in which the provider waits for money. */
const UNPAID: ReadonlySet<string | null> = new Set(['past_due', 'unpaid', 'incomplete']);

/** One that the provider has put on hold: nobody is billed for it, no period of it ends, and it cannot be charged. */
const PAUSED = 'paused';

/** @returns the plan that an organization has, and what it pays for it. */
const currentOf = (plans: Plans, { planId, status }: Subscription): { readonly plan: Plan; readonly cents: number } => {
  if (planId === null || status === 'canceled') return { plan: plans.fallback, cents: 0 };
  const plan = plans.all.find(({ id }) => id === planId);
  if (plan) return { plan, cents: plan.priceCents };
  const message = `The plan of this organization, ${planId}, is no longer among the plans. Ask the operator to bring it back.`;
  throw new AppError('conflict', 'PlanGone', message);
};

/** @throws AppError where the provider that keeps the subscription is another one than that of the configuration. */
const requireProvider = (row: Subscription, { provider }: Pick<MoneyParts, 'provider'>): void => {
  if (!isKeptOutside(row) || row.provider === provider.name) return;
  const message = `The subscription is kept by ${row.provider}, but payments are set up with ${provider.name}. Ask the operator.`;
  throw new AppError('conflict', 'OtherProvider', message);
};

/**
 * The provider has begun the next period, or is about to: what is arranged now would be for the end of another period
 * than the caller sees, and at another price than that which was billed.
 * @throws AppError until the provider has told of it
 */
const requireRenewed = (row: Subscription, now: Date): void => {
  if (!isKeptOutside(row) || row.status === PAUSED || row.periodEnd > now) return;
  const message = 'The subscription is being renewed. Try again in a minute.';
  throw new AppError('conflict', 'RenewalUnderway', message, { retryAfter: 60 });
};

/** @returns names of invoices that the provider can be asked to collect; undefined: not all of them can. */
const collectable = (
  row: Subscription,
  open: readonly InvoiceRow[],
  { provider }: Pick<MoneyParts, 'provider'>,
): readonly string[] | undefined => {
  if (provider.collect === undefined || !isKeptOutside(row) || open.length === 0) return undefined;
  const references = open.flatMap(({ providerReference }) => providerReference ?? []);
  return references.length === open.length ? references : undefined;
};

/**
 * @param isAsked whether it is only asked what an upgrade would cost: what it would have collected first counts as paid
 * @returns the subscription, with what settles its period
 * @throws AppError while what was billed is not paid, or nothing can be billed: {@link InvoiceOpen} where it may be
 * collected
 */
const requirePaid = async (
  parts: MoneyParts,
  session: Session,
  row: Subscription,
  isAsked: boolean,
): Promise<Subscription> => {
  const { fallback } = parts.plans;
  const paymentMethod =
    row.paymentBrand !== null && row.paymentLast4 !== null
      ? { paymentMethod: { brand: row.paymentBrand, last4: row.paymentLast4 } }
      : {};
  if (isKeptOutside(row) && row.status === PAUSED) {
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
  const references = collectable(row, all, parts);
  if (references === undefined) {
    throw new AppError('payment_required', 'PaymentRequired', message, paymentMethod);
  }
  const isOfPeriod = more.length === 0 && open?.periodStart.getTime() === row.periodStart.getTime();
  if (isAsked && isOfPeriod && !UNPAID.has(row.status)) return { ...row, paidCents: open.priceCents };
  throw new InvoiceOpen(message, references, paymentMethod);
};

/** @returns US cents a month that somebody who changes to a plan pays: nobody pays for the default plan, whatever its price. */
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
      `The change to the plan ${plan.name} is arranged already, for ${day(row.periodEnd)}.`,
    );
  }
  return kindOf(current.cents, priceOf(plans, plan));
};

/** @returns what a preview said lately, if the subscription and the price are still what it was reckoned from. */
const promised = async (
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
 * Reckons what a change comes to, under the lock of the subscription's row, which the caller's transaction keeps.
 * A period that is over is renewed before.
 * @param useLatestPreview whether what a preview said lately counts, rather than what it would say now
 * @throws AppError as `previewChange` says
 */
export const reckon = async (
  parts: MoneyParts,
  session: Session,
  wanted: Wanted,
  useLatestPreview: boolean,
): Promise<Reckoned> => {
  const { organizationId, plan, now } = wanted;
  const found = await lockSubscription(session, organizationId);
  if (found === undefined) throw notFound('There is no such organization.');
  if (await isChangeUnderway(session, organizationId)) {
    const message = 'Another change of the plan is under way. Try again when it is done, in a minute at most.';
    throw new AppError('conflict', 'ChangeUnderway', message, { retryAfter: 60 });
  }
  const isRenewed = await renewLocked(parts, session, found, now);
  const row = (isRenewed && (await selectSubscriptionForUpdate(session, organizationId))) || found;
  requireProvider(row, parts);
  requireRenewed(row, now);
  const current = currentOf(parts.plans, row);
  const kind = kindFor(plan, parts.plans, current, row);
  const paid = kind === 'upgrade' ? await requirePaid(parts, session, row, !useLatestPreview) : row;
  const { usedUnits, paidCents, creditCents: balanceCents } = paid;
  const holding = { priceCents: current.cents, units: current.plan.units, usedUnits, paidCents, balanceCents };
  const reckoned = { row: paid, current: current.plan, holding, kind };
  if (kind !== 'upgrade') return { ...reckoned, cost: laterCost(holding), usedUnits };
  const seen = useLatestPreview ? await promised(session, row, wanted) : undefined;
  const cost = upgradeCost({ ...holding, usedUnits: seen?.usedUnits ?? usedUnits }, plan.priceCents);
  if (seen === undefined || seen.unusedCents === cost.unusedCents) {
    return { ...reckoned, cost, usedUnits: seen?.usedUnits ?? usedUnits };
  }
  // The plan that the organization leaves has another price or size since: what was said counts.
  const told = { ...cost, unusedCents: seen.unusedCents, ...settle(plan.priceCents, seen.unusedCents + balanceCents) };
  return { ...reckoned, cost: told, usedUnits: seen.usedUnits };
};
