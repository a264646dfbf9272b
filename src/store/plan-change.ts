import type { Session } from './database.js';

export type PlanChangeState = 'pending' | 'charged' | 'applied' | 'failed';

/** A change of plan, from before anybody is charged until it is done or given up. */
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
  /** Of the period that it was reckoned in. */
  readonly periodStart: Date;
  readonly provider: string;
  readonly providerReference: string | null;
  /** JSON: what the provider answered. */
  readonly charged: unknown;
  readonly failure: string | null;
  /** Of its invoice, where the provider told that before the change was applied. */
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

const UNDERWAY = "state in ('pending', 'charged')";

type NewPlanChange = Omit<
  PlanChangeRow,
  'state' | 'providerReference' | 'charged' | 'failure' | 'toldReference' | 'toldState'
>;

/** Writes down a change that is about to be made; an organization has at most one under way. */
export const insertPlanChange = async (session: Session, row: NewPlanChange): Promise<void> => {
  await session.run(
    `insert into plan_change
       (id, organization_id, kind, from_plan_id, to_plan_id, state, price_cents, unused_cents, credit_cents,
        charge_cents, used_units, period_start, provider, api_key_id, request_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
    [
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
    ],
  );
};

/** @returns whether a change of the organization is pending or charged. */
export const isChangeUnderway = async (session: Session, organizationId: string): Promise<boolean> =>
  (await session.select(`select from plan_change where organization_id = $1 and ${UNDERWAY}`, [organizationId]))
    .length > 0;

/** @returns whether the change still waits for its charge. */
export const isPlanChangePending = async (session: Session, id: string): Promise<boolean> =>
  (await session.select(`select from plan_change where id = $1 and state = 'pending'`, [id])).length > 0;

/** @returns the change, locked; undefined: there is none of that id. */
export const selectPlanChangeForUpdate = async (session: Session, id: string): Promise<PlanChangeRow | undefined> =>
  (await session.run<PlanChangeRow>(`select ${COLUMNS} from plan_change where id = $1 for update`, [id]))[0];

/** @returns changes under way that were begun before a time, the oldest first. */
export const selectStalePlanChanges = (session: Session, before: Date, limit: number): Promise<PlanChangeRow[]> =>
  session.select(
    `select ${COLUMNS} from plan_change where ${UNDERWAY} and created_at < $1 order by created_at, id limit $2`,
    [before, limit],
  );

/**
 * Notes that a pending change was charged.
 * @param charged JSON text
 * @returns whether it was pending
 */
export const updatePlanChangeCharged = async (
  session: Session,
  id: string,
  reference: string,
  charged: string,
  now: Date,
): Promise<boolean> => {
  const rows = await session.run(
    `update plan_change set state = 'charged', provider_reference = $2, charged = $3::jsonb, updated_at = $4
      where id = $1 and state = 'pending' returning id`,
    [id, reference, charged, now],
  );
  return rows.length > 0;
};

/** Notes that a pending change will not be made. @returns whether it was pending */
export const updatePlanChangeFailed = async (
  session: Session,
  id: string,
  failure: string,
  now: Date,
): Promise<boolean> => {
  const rows = await session.run(
    `update plan_change set state = 'failed', failure = $2, updated_at = $3
      where id = $1 and state = 'pending' returning id`,
    [id, failure, now],
  );
  return rows.length > 0;
};

/** Notes that a change which was given up was charged after all: `castellan audit` shows it. */
export const updatePlanChangeChargedLate = async (
  session: Session,
  id: string,
  reference: string,
  now: Date,
): Promise<void> => {
  await session.run(
    `update plan_change set provider_reference = $2, updated_at = $3 where id = $1 and state = 'failed'`,
    [id, reference, now],
  );
};

/**
 * Takes up a change that was given up, since it was charged: what is to be applied now.
 * @param charged JSON text
 */
export const updatePlanChangeRevived = async (
  session: Session,
  id: string,
  reference: string,
  charged: string,
  now: Date,
): Promise<void> => {
  await session.run(
    `update plan_change set state = 'charged', provider_reference = $2, charged = $3::jsonb, updated_at = $4
      where id = $1 and state = 'failed'`,
    [id, reference, charged, now],
  );
};

/** Keeps what became of the invoice of a change, for when the change is applied. */
export const updatePlanChangeTold = async (
  session: Session,
  id: string,
  told: { readonly reference: string; readonly state: 'paid' | 'void' },
): Promise<void> => {
  await session.run('update plan_change set told_reference = $2, told_state = $3 where id = $1', [
    id,
    told.reference,
    told.state,
  ]);
};

/** Notes that the subscription is what the change wanted. */
export const updatePlanChangeApplied = async (session: Session, id: string, now: Date): Promise<void> => {
  await session.run(`update plan_change set state = 'applied', updated_at = $2 where id = $1`, [id, now]);
};
