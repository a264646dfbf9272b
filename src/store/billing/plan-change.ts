import { execute, type Session, sql } from '../../db/statement.js';
import { first, hasRows } from '../table.js';

export type PlanChangeState = 'pending' | 'charged' | 'applied' | 'failed';

/** A change of plan; its row exists from before the charge. */
export interface PlanChangeRow {
  /** The idempotency key of the calls to the provider. */
  readonly id: string;
  readonly organizationId: string;
  readonly kind: 'upgrade' | 'downgrade' | 'keep';
  /** null: the default plan. */
  readonly fromPlanId: string | null;
  readonly toPlanId: string;
  readonly state: PlanChangeState;
  /** US cents. */
  readonly priceCents: number;
  readonly unusedCents: number;
  readonly creditCents: number;
  readonly chargeCents: number;
  readonly usedUnits: number;
  /** Start of the period that it was computed in. */
  readonly periodStart: Date;
  readonly provider: string;
  readonly providerReference: string | null;
  /** JSON: the provider's response. */
  readonly charged: unknown;
  readonly failure: string | null;
  /** Outcome of its invoice, if the provider reported it before the change was applied. */
  readonly toldReference: string | null;
  readonly toldState: 'paid' | 'void' | null;
  readonly keyId: string | null;
  readonly requestId: string | null;
  readonly createdAt: Date;
}

const COLUMNS = `id, organization_id as "organizationId", kind, from_plan_id as "fromPlanId", to_plan_id as "toPlanId",
  state, price_cents as "priceCents", unused_cents as "unusedCents", credit_cents as "creditCents",
  charge_cents as "chargeCents", used_units as "usedUnits", period_start as "periodStart", provider,
  provider_reference as "providerReference", charged, failure, told_reference as "toldReference",
  told_state as "toldState", api_key_id as "keyId", request_id as "requestId",
  created_at as "createdAt"`;

const PENDING_STATES = "state in ('pending', 'charged')";

type NewPlanChange = Omit<
  PlanChangeRow,
  'state' | 'providerReference' | 'charged' | 'failure' | 'toldReference' | 'toldState'
>;

const insertPlanChangeSql = sql(
  'insert_plan_change',
  `insert into plan_change
      (id, organization_id, kind, from_plan_id, to_plan_id, state, price_cents, unused_cents, credit_cents,
       charge_cents, used_units, period_start, provider, api_key_id, request_id, created_at, updated_at)
    values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
);

/** Stores a change before it is made; an organization has at most one pending. */
export const insertPlanChange = (session: Session, row: NewPlanChange): Promise<void> =>
  execute(session, insertPlanChangeSql, [
    row.id,
    row.organizationId,
    row.kind,
    row.fromPlanId,
    row.toPlanId,
    row.priceCents,
    row.unusedCents,
    row.creditCents,
    row.chargeCents,
    row.usedUnits,
    row.periodStart,
    row.provider,
    row.keyId,
    row.requestId,
    row.createdAt,
  ]);

const hasOpenPlanChangeSql = sql(
  'has_open_plan_change',
  `select from plan_change where organization_id = $1 and ${PENDING_STATES}`,
);

/** @returns whether a change of the organization is pending or charged. */
export const hasOpenPlanChange = (session: Session, organizationId: string): Promise<boolean> =>
  hasRows(session.select(hasOpenPlanChangeSql, [organizationId]));

const isPlanChangePendingSql = sql(
  'is_plan_change_pending',
  `select from plan_change where id = $1 and state = 'pending'`,
);

/** @returns whether the change is not charged yet. */
export const isPlanChangePending = (session: Session, id: string): Promise<boolean> =>
  hasRows(session.select(isPlanChangePendingSql, [id]));

const selectPlanChangeForUpdateSql = sql<PlanChangeRow>(
  'select_plan_change_for_update',
  `select ${COLUMNS} from plan_change where id = $1 for update`,
);

/** @returns the change, locked; undefined: there is none of that id. */
export const selectPlanChangeForUpdate = (session: Session, id: string): Promise<PlanChangeRow | undefined> =>
  first(session.run(selectPlanChangeForUpdateSql, [id]));

const selectStalePlanChangesSql = sql<PlanChangeRow>(
  'select_stale_plan_changes',
  `select ${COLUMNS} from plan_change where ${PENDING_STATES} and created_at < $1 order by created_at, id limit $2`,
);

/** @returns pending changes that were begun before a time, the oldest first. */
export const selectStalePlanChanges = (session: Session, before: Date, limit: number): Promise<PlanChangeRow[]> =>
  session.select(selectStalePlanChangesSql, [before, limit]);

const updatePlanChangeChargedSql = sql(
  'update_plan_change_charged',
  `update plan_change set state = 'charged', provider_reference = $2, charged = $3::jsonb, updated_at = $4
    where id = $1 and state = 'pending' returning id`,
);

/**
 * Marks a pending change as charged.
 * @param charged JSON text
 * @returns whether it was pending
 */
export const updatePlanChangeCharged = (
  session: Session,
  id: string,
  reference: string,
  charged: string,
  now: Date,
): Promise<boolean> => hasRows(session.run(updatePlanChangeChargedSql, [id, reference, charged, now]));

const updatePlanChangeFailedSql = sql(
  'update_plan_change_failed',
  `update plan_change set state = 'failed', failure = $2, updated_at = $3
    where id = $1 and state = 'pending' returning id`,
);

/** Marks a pending change as failed. @returns whether it was pending */
export const updatePlanChangeFailed = (session: Session, id: string, failure: string, now: Date): Promise<boolean> =>
  hasRows(session.run(updatePlanChangeFailedSql, [id, failure, now]));

const updatePlanChangeChargedLateSql = sql(
  'update_plan_change_charged_late',
  `update plan_change set provider_reference = $2, updated_at = $3 where id = $1 and state = 'failed'`,
);

/** Stores the charge of a failed change: `castellan audit` shows it. */
export const updatePlanChangeChargedLate = (
  session: Session,
  id: string,
  reference: string,
  now: Date,
): Promise<void> => execute(session, updatePlanChangeChargedLateSql, [id, reference, now]);

const updatePlanChangeRevivedSql = sql(
  'update_plan_change_revived',
  `update plan_change set state = 'charged', provider_reference = $2, charged = $3::jsonb, updated_at = $4
    where id = $1 and state = 'failed'`,
);

/**
 * Marks a failed change as charged, so that it is applied.
 * @param charged JSON text
 */
export const updatePlanChangeRevived = (
  session: Session,
  id: string,
  reference: string,
  charged: string,
  now: Date,
): Promise<void> => execute(session, updatePlanChangeRevivedSql, [id, reference, charged, now]);

const updatePlanChangeReportedSql = sql(
  'update_plan_change_reported',
  'update plan_change set told_reference = $2, told_state = $3 where id = $1',
);

/** Stores the outcome of a change's invoice, until the change is applied. */
export const updatePlanChangeReported = (
  session: Session,
  id: string,
  told: { readonly reference: string; readonly state: 'paid' | 'void' },
): Promise<void> => execute(session, updatePlanChangeReportedSql, [id, told.reference, told.state]);

const updatePlanChangeAppliedSql = sql(
  'update_plan_change_applied',
  `update plan_change set state = 'applied', updated_at = $2 where id = $1`,
);

/** Marks a change as applied to its subscription. */
export const updatePlanChangeApplied = (session: Session, id: string, now: Date): Promise<void> =>
  execute(session, updatePlanChangeAppliedSql, [id, now]);
