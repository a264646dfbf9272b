import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, columnList, first, upsertText, valuesOf } from '../table.js';
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

const upsertPreview = sql('plan_preview_upsert', upsertText('plan_preview', KEY, QUOTE));

/** Stores a preview, instead of an earlier one of the same plan. */
export const upsertPlanPreview = (session: Session, row: PlanPreviewRow): Promise<void> =>
  execute(session, upsertPreview, valuesOf([...KEY, ...QUOTE] as const, row));

const previewSince = sql<PlanPreviewRow>(
  'plan_preview_since',
  `select ${columnList([...KEY, ...QUOTE])}
    from plan_preview where organization_id = $1 and plan_id = $2 and created_at >= $3`,
);

/** @returns the preview of a plan that was made at `since` or later. */
export const selectPlanPreview = (
  session: Session,
  of: { readonly organizationId: string; readonly planId: string; readonly since: Date },
): Promise<PlanPreviewRow | undefined> => first(session.select(previewSince, [of.organizationId, of.planId, of.since]));

const deleteOld = sql('plan_preview_delete_old', 'delete from plan_preview where created_at < $1');

export const deleteOldPlanPreviews = (session: Session, before: Date): Promise<void> =>
  execute(session, deleteOld, [before]);
