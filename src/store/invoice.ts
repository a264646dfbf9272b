import type { Session } from './database.js';

/** What an organization was billed for one period. */
export interface InvoiceRow {
  readonly id: string;
  readonly organizationId: string;
  /** The upgrade that it is of; null: a renewal. */
  readonly planChangeId: string | null;
  readonly planId: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  /** US cents; `amountCents` is what is due: the price less the credit. */
  readonly priceCents: number;
  readonly creditCents: number;
  readonly amountCents: number;
  readonly state: 'open' | 'paid' | 'void';
  readonly providerReference: string | null;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
}

const COLUMNS = `id, organization_id as "organizationId", plan_change_id as "planChangeId", plan_id as "planId",
  period_start as "periodStart", period_end as "periodEnd", price_cents as "priceCents",
  credit_cents as "creditCents", amount_cents as "amountCents", state, provider_reference as "providerReference",
  created_at as "createdAt", paid_at as "paidAt"`;

export const insertInvoice = async (session: Session, row: InvoiceRow): Promise<void> => {
  await session.kysely
    .insertInto('invoice')
    .values({
      id: row.id,
      organization_id: row.organizationId,
      plan_change_id: row.planChangeId,
      plan_id: row.planId,
      period_start: row.periodStart,
      period_end: row.periodEnd,
      price_cents: row.priceCents,
      credit_cents: row.creditCents,
      amount_cents: row.amountCents,
      state: row.state,
      provider_reference: row.providerReference,
      created_at: row.createdAt,
      paid_at: row.paidAt,
    })
    .execute();
};

/** @returns the invoice that the provider knows under this name. */
export const selectInvoiceByReference = async (session: Session, reference: string): Promise<InvoiceRow | undefined> =>
  (await session.select<InvoiceRow>(`select ${COLUMNS} from invoice where provider_reference = $1`, [reference]))[0];

/** @returns the invoice of that id. */
export const selectInvoice = async (session: Session, id: string): Promise<InvoiceRow | undefined> =>
  (await session.select<InvoiceRow>(`select ${COLUMNS} from invoice where id = $1`, [id]))[0];

/** @returns whether the organization was billed for the period that begins then; a void invoice counts. */
export const hasInvoiceOfPeriod = async (session: Session, organizationId: string, start: Date): Promise<boolean> =>
  (
    await session.select('select from invoice where organization_id = $1 and period_start = $2 limit 1', [
      organizationId,
      start,
    ])
  ).length > 0;

/** @returns what the organization still has to pay, the oldest first. */
export const selectOpenInvoices = (session: Session, organizationId: string): Promise<InvoiceRow[]> =>
  session.select(
    `select ${COLUMNS} from invoice where organization_id = $1 and state = 'open' order by created_at, id`,
    [organizationId],
  );

/** @returns invoices of one organization or of all, the newest first. */
export const selectInvoices = (
  session: Session,
  of: { readonly organizationId: string | null; readonly state: InvoiceRow['state'] | null; readonly limit: number },
): Promise<InvoiceRow[]> =>
  session.select(
    `select ${COLUMNS} from invoice
      where ($1::uuid is null or organization_id = $1) and ($2::text is null or state = $2)
      order by created_at desc, id limit $3`,
    [of.organizationId, of.state, of.limit],
  );

/** Notes that an open invoice was paid. @returns whether it was open */
export const updateInvoicePaid = async (session: Session, id: string, now: Date): Promise<boolean> => {
  const rows = await session.run(
    `update invoice set state = 'paid', paid_at = $2 where id = $1 and state = 'open' returning id`,
    [id, now],
  );
  return rows.length > 0;
};

/** Notes that an open invoice will not be paid. @returns whether it was open */
export const updateInvoiceVoid = async (session: Session, id: string): Promise<boolean> =>
  (await session.run(`update invoice set state = 'void' where id = $1 and state = 'open' returning id`, [id])).length >
  0;
