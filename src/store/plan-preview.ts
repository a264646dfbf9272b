import type { Session } from './database.js';

/** What a change was said to cost, and what the subscription was then. */
export interface PlanPreviewRow {
  readonly organizationId: string;
  readonly planId: string;
  /** null: the default plan. */
  readonly fromPlanId: string | null;
  readonly periodStart: Date;
  /** US cents. */
  readonly paidCents: number;
  readonly balanceCents: number;
  readonly priceCents: number;
  readonly usedUnits: number;
  readonly unusedCents: number;
  readonly createdAt: Date;
}

/** Keeps the newest preview of each plan. */
export const upsertPlanPreview = async (session: Session, row: PlanPreviewRow): Promise<void> => {
  const values = {
    from_plan_id: row.fromPlanId,
    period_start: row.periodStart,
    paid_cents: row.paidCents,
    balance_cents: row.balanceCents,
    price_cents: row.priceCents,
    used_units: row.usedUnits,
    unused_cents: row.unusedCents,
    created_at: row.createdAt,
  };
  await session.kysely
    .insertInto('plan_preview')
    .values({ organization_id: row.organizationId, plan_id: row.planId, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'plan_id']).doUpdateSet(values))
    .execute();
};

/** @returns the preview of a plan that was made at `since` or later. */
export const selectPlanPreview = async (
  session: Session,
  of: { readonly organizationId: string; readonly planId: string; readonly since: Date },
): Promise<PlanPreviewRow | undefined> =>
  (
    await session.select<PlanPreviewRow>(
      `select organization_id as "organizationId", plan_id as "planId", from_plan_id as "fromPlanId",
              period_start as "periodStart", paid_cents as "paidCents", balance_cents as "balanceCents",
              price_cents as "priceCents", used_units as "usedUnits", unused_cents as "unusedCents",
              created_at as "createdAt"
         from plan_preview where organization_id = $1 and plan_id = $2 and created_at >= $3`,
      [of.organizationId, of.planId, of.since],
    )
  )[0];

/** Forgets what changes were said to cost before a time. */
export const deleteOldPlanPreviews = async (session: Session, before: Date): Promise<void> => {
  await session.run('delete from plan_preview where created_at < $1', [before]);
};
