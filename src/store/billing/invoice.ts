import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText, valuesOf } from '../table.js';
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

export const insertInvoice = writeQuery('invoice_insert', insertText('invoice', NAMES)).done((row: InvoiceRow) =>
  valuesOf(NAMES, row),
);

/** @returns the invoice that the provider knows under this name. */
export const selectInvoiceByReference = selectQuery<InvoiceRow>(
  'invoice_by_reference',
  `select ${COLUMNS} from invoice where provider_reference = $1`,
).first((reference: string) => [reference]);

export const selectInvoice = selectQuery<InvoiceRow>(
  'invoice_by_id',
  `select ${COLUMNS} from invoice where id = $1`,
).first((id: string) => [id]);

/** @returns whether the organization was billed for the period that begins then; a void invoice counts. */
export const hasInvoiceOfPeriod = selectQuery(
  'invoice_of_period',
  'select from invoice where organization_id = $1 and period_start = $2 limit 1',
).hasRows((organizationId: string, start: Date) => [organizationId, start]);

/** @returns what the organization still has to pay, the oldest first. */
export const selectOpenInvoices = selectQuery<InvoiceRow>(
  'invoice_open',
  `select ${COLUMNS} from invoice where organization_id = $1 and state = 'open' order by created_at, id`,
).rows((organizationId: string) => [organizationId]);

/** @returns invoices of one organization or of all, the newest first. */
export const selectInvoices = selectQuery<InvoiceRow>(
  'invoice_list',
  `select ${COLUMNS} from invoice
    where ($1::uuid is null or organization_id = $1) and ($2::text is null or state = $2)
    order by created_at desc, id limit $3`,
).rows(
  (of: {
    readonly organizationId: string | null;
    readonly state: InvoiceRow['state'] | null;
    readonly limit: number;
  }) => [of.organizationId, of.state, of.limit],
);

/** Marks an open invoice as paid. @returns whether it was open */
export const updateInvoicePaid = writeQuery(
  'invoice_pay',
  `update invoice set state = 'paid', paid_at = $2 where id = $1 and state = 'open' returning id`,
).hasRows((id: string, now: Date) => [id, now]);

/** Marks an open invoice as void. @returns whether it was open */
export const updateInvoiceVoid = writeQuery(
  'invoice_void',
  `update invoice set state = 'void' where id = $1 and state = 'open' returning id`,
).hasRows((id: string) => [id]);
