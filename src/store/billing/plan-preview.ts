import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, upsertText, valuesOf } from '../table.js';
import type { Tables } from '../tables.js';

const KEY = ['organization_id', 'plan_id'] as const;
const QUOTE = [
  'from_plan_id',
  'period_start',
  'paid_cents',
  'balance_cents',
  'price_cents',
  'used_units',
  'unused_cents',
  'created_at',
] as const;

/** The quoted price of a plan change, in US cents, and the state of the subscription that it is valid for. */
export type PlanPreviewRow = Camel<Tables['plan_preview']>;

/** Stores a preview, instead of an earlier one of the same plan. */
export const upsertPlanPreview = writeQuery('plan_preview_upsert', upsertText('plan_preview', KEY, QUOTE)).done(
  (row: PlanPreviewRow) => valuesOf([...KEY, ...QUOTE] as const, row),
);

/** @returns the preview of a plan that was made at `since` or later. */
export const selectPlanPreview = selectQuery<PlanPreviewRow>(
  'plan_preview_since',
  `select ${columnList([...KEY, ...QUOTE])}
    from plan_preview where organization_id = $1 and plan_id = $2 and created_at >= $3`,
).first((of: { readonly organizationId: string; readonly planId: string; readonly since: Date }) => [
  of.organizationId,
  of.planId,
  of.since,
]);

export const deleteOldPlanPreviews = writeQuery(
  'plan_preview_delete_old',
  'delete from plan_preview where created_at < $1',
).done((before: Date) => [before]);
