import { selectQuery, writeQuery } from '../query-function.js';
import { columnList, upsertText } from '../table.js';

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

/** Stores a preview, instead of an earlier one of the same plan. */
export const upsertPlanPreview = writeQuery('plan_preview_upsert', upsertText('plan_preview', KEY, QUOTE)).done();

/** @returns the preview of a plan that was made at `since` or later. */
export const selectPlanPreview = selectQuery(
  'plan_preview_since',
  `select ${columnList([...KEY, ...QUOTE])}
    from plan_preview where organization_id = :organizationId and plan_id = :planId and created_at >= :since`,
).first((of: { readonly organizationId: string; readonly planId: string; readonly since: Date }) => ({
  organizationId: of.organizationId,
  planId: of.planId,
  since: of.since,
}));

export const deleteOldPlanPreviews = writeQuery(
  'plan_preview_delete_old',
  'delete from plan_preview where created_at < :before',
).done((before: Date) => ({ before }));
