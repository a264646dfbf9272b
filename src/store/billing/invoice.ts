import { execute, type Session, sql } from '../../db/statement.js';
import { type Camel, columnList, first, hasRows, insertText, valuesOf } from '../table.js';
import type { Tables } from '../tables.js';

/**
 * The bill for one period. `amountCents` (US cents) is due: the price less the credit. An invoice without a plan change
 * is of a renewal.
 */
export type InvoiceRow = Camel<Tables['invoice']>;

const NAMES = [
  'id',
  'organization_id',
  'plan_change_id',
  'plan_id',
  'period_start',
  'period_end',
  'price_cents',
  'credit_cents',
  'amount_cents',
  'state',
  'provider_reference',
  'created_at',
  'paid_at',
] as const;
const COLUMNS = columnList(NAMES);

const insertOne = sql('invoice_insert', insertText('invoice', NAMES));

export const insertInvoice = (session: Session, row: InvoiceRow): Promise<void> =>
  execute(session, insertOne, valuesOf(NAMES, row));

const byReference = sql<InvoiceRow>(
  'invoice_by_reference',
  `select ${COLUMNS} from invoice where provider_reference = $1`,
);

/** @returns the invoice that the provider knows under this name. */
export const selectInvoiceByReference = (session: Session, reference: string): Promise<InvoiceRow | undefined> =>
  first(session.select(byReference, [reference]));

const byId = sql<InvoiceRow>('invoice_by_id', `select ${COLUMNS} from invoice where id = $1`);

export const selectInvoice = (session: Session, id: string): Promise<InvoiceRow | undefined> =>
  first(session.select(byId, [id]));

const ofPeriod = sql(
  'invoice_of_period',
  'select from invoice where organization_id = $1 and period_start = $2 limit 1',
);

/** @returns whether the organization was billed for the period that begins then; a void invoice counts. */
export const hasInvoiceOfPeriod = (session: Session, organizationId: string, start: Date): Promise<boolean> =>
  hasRows(session.select(ofPeriod, [organizationId, start]));

const openOf = sql<InvoiceRow>(
  'invoice_open',
  `select ${COLUMNS} from invoice where organization_id = $1 and state = 'open' order by created_at, id`,
);

/** @returns what the organization still has to pay, the oldest first. */
export const selectOpenInvoices = (session: Session, organizationId: string): Promise<InvoiceRow[]> =>
  session.select(openOf, [organizationId]);

const listed = sql<InvoiceRow>(
  'invoice_list',
  `select ${COLUMNS} from invoice
    where ($1::uuid is null or organization_id = $1) and ($2::text is null or state = $2)
    order by created_at desc, id limit $3`,
);

/** @returns invoices of one organization or of all, the newest first. */
export const selectInvoices = (
  session: Session,
  of: { readonly organizationId: string | null; readonly state: InvoiceRow['state'] | null; readonly limit: number },
): Promise<InvoiceRow[]> => session.select(listed, [of.organizationId, of.state, of.limit]);

const pay = sql(
  'invoice_pay',
  `update invoice set state = 'paid', paid_at = $2 where id = $1 and state = 'open' returning id`,
);

/** Marks an open invoice as paid. @returns whether it was open */
export const updateInvoicePaid = (session: Session, id: string, now: Date): Promise<boolean> =>
  hasRows(session.run(pay, [id, now]));

const cancel = sql('invoice_void', `update invoice set state = 'void' where id = $1 and state = 'open' returning id`);

/** Marks an open invoice as void. @returns whether it was open */
export const updateInvoiceVoid = (session: Session, id: string): Promise<boolean> => hasRows(session.run(cancel, [id]));
