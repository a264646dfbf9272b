import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText } from '../table.js';
import type { Tables } from '../tables.js';

const NEW = [
  'id',
  'organization_id',
  'kind',
  'from_plan_id',
  'to_plan_id',
  'state',
  'price_cents',
  'unused_cents',
  'credit_cents',
  'charge_cents',
  'used_units',
  'period_start',
  'provider',
  'api_key_id',
  'request_id',
  'created_at',
  'updated_at',
] as const;
const LATER = ['provider_reference', 'charged', 'failure', 'reported_reference', 'reported_state'] as const;
const COLUMNS = columnList([...NEW, ...LATER]);

/** A change of plan; its row exists from before the charge. A plan of null is the default plan. */
export type PlanChangeRow = Camel<Tables['plan_change']>;

const PENDING_STATES = "state in ('pending', 'charged')";

type NewPlanChange = Omit<Camel<Pick<Tables['plan_change'], (typeof NEW)[number]>>, 'state' | 'updatedAt'>;

/** Stores a change before it is made; an organization has at most one pending. */
export const insertPlanChange = writeQuery('insert_plan_change', insertText('plan_change', NEW)).done(
  (row: NewPlanChange) => ({ ...row, state: 'pending', updatedAt: row.createdAt }),
);

const openPlanChange = selectQuery(
  'select_open_plan_change',
  `select id from plan_change where organization_id = :organizationId and ${PENDING_STATES}`,
);

/** @returns the id of the organization's change that is pending or charged. */
export const selectOpenPlanChange = openPlanChange.value('id', (organizationId: string) => ({ organizationId }));

/** @returns whether a change of the organization is pending or charged. */
export const hasOpenPlanChange = openPlanChange.hasRows((organizationId: string) => ({ organizationId }));

/** @returns whether the change is not charged yet. */
export const isPlanChangePending = selectQuery(
  'is_plan_change_pending',
  `select from plan_change where id = :id and state = 'pending'`,
).hasRows((id: string) => ({ id }));

/** @returns the change, locked; undefined: there is none of that id. */
export const selectPlanChangeForUpdate = writeQuery(
  'select_plan_change_for_update',
  `select ${COLUMNS} from plan_change where id = :id for update`,
).first((id: string) => ({ id }));

/** @returns pending changes that were begun before a time, the oldest first. */
export const selectStalePlanChanges = selectQuery(
  'select_stale_plan_changes',
  `select ${COLUMNS} from plan_change where ${PENDING_STATES} and created_at < :before order by created_at, id limit :limit`,
).rows((before: Date, limit: number) => ({ before, limit }));

/**
 * Marks a pending change as charged.
 * @param charged JSON text
 * @returns whether it was pending
 */
export const updatePlanChangeCharged = writeQuery(
  'update_plan_change_charged',
  `update plan_change set state = 'charged', provider_reference = :reference, charged = :charged::jsonb, updated_at = :now
    where id = :id and state = 'pending' returning id`,
).hasRows((id: string, reference: string, charged: string, now: Date) => ({ id, reference, charged, now }));

/** Marks a pending change as failed. @returns whether it was pending */
export const updatePlanChangeFailed = writeQuery(
  'update_plan_change_failed',
  `update plan_change set state = 'failed', failure = :failure, updated_at = :now
    where id = :id and state = 'pending' returning id`,
).hasRows((id: string, failure: string, now: Date) => ({ id, failure, now }));

/** Stores the charge of a failed change: `castellan audit` shows it. */
export const updatePlanChangeChargedLate = writeQuery(
  'update_plan_change_charged_late',
  `update plan_change set provider_reference = :reference, updated_at = :now where id = :id and state = 'failed'`,
).done((id: string, reference: string, now: Date) => ({ id, reference, now }));

/**
 * Marks a failed change as charged, so that it is applied.
 * @param charged JSON text
 */
export const updatePlanChangeRevived = writeQuery(
  'update_plan_change_revived',
  `update plan_change set state = 'charged', provider_reference = :reference, charged = :charged::jsonb, updated_at = :now
    where id = :id and state = 'failed'`,
).done((id: string, reference: string, charged: string, now: Date) => ({ id, reference, charged, now }));

/** Stores the outcome of a change's invoice, until the change is applied. */
export const updatePlanChangeReported = writeQuery(
  'update_plan_change_reported',
  'update plan_change set reported_reference = :reference, reported_state = :state where id = :id',
).done((id: string, reported: { readonly reference: string; readonly state: 'paid' | 'void' }) => ({
  id,
  reference: reported.reference,
  state: reported.state,
}));

/** Marks a change as applied to its subscription. */
export const updatePlanChangeApplied = writeQuery(
  'update_plan_change_applied',
  `update plan_change set state = 'applied', updated_at = :now where id = :id`,
).done((id: string, now: Date) => ({ id, now }));
