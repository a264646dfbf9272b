import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, insertText } from '../table.js';
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

export const insertInvoice = writeQuery('invoice_insert', insertText('invoice', NAMES)).done();

/** @returns the invoice that the provider knows under this name. */
export const selectInvoiceByReference = selectQuery(
  'invoice_by_reference',
  `select ${COLUMNS} from invoice where provider_reference = :reference`,
).first((reference: string) => ({ reference }));

export const selectInvoice = selectQuery('invoice_by_id', `select ${COLUMNS} from invoice where id = :id`).first(
  (id: string) => ({ id }),
);

/** @returns whether the organization was billed for the period that begins then; a void invoice counts. */
export const hasInvoiceOfPeriod = selectQuery(
  'invoice_of_period',
  'select from invoice where organization_id = :organizationId and period_start = :start limit 1',
).hasRows((organizationId: string, start: Date) => ({ organizationId, start }));

/** @returns what the organization still has to pay, the oldest first. */
export const selectOpenInvoices = selectQuery(
  'invoice_open',
  `select ${COLUMNS} from invoice where organization_id = :organizationId and state = 'open' order by created_at, id`,
).rows((organizationId: string) => ({ organizationId }));

/** @returns invoices of one organization or of all, the newest first. */
export const selectInvoices = selectQuery(
  'invoice_list',
  `select ${COLUMNS} from invoice
    where (:organizationId?::uuid is null or organization_id = :organizationId?) and (:state?::text is null or state = :state?)
    order by created_at desc, id limit :limit`,
).rows(
  (of: {
    readonly organizationId: string | null;
    readonly state: InvoiceRow['state'] | null;
    readonly limit: number;
  }) => ({ organizationId: of.organizationId, state: of.state, limit: of.limit }),
);

/** Marks an open invoice as paid. @returns whether it was open */
export const updateInvoicePaid = writeQuery(
  'invoice_pay',
  `update invoice set state = 'paid', paid_at = :now where id = :id and state = 'open' returning id`,
).hasRows((id: string, now: Date) => ({ id, now }));

/** Marks an open invoice as void. @returns whether it was open */
export const updateInvoiceVoid = writeQuery(
  'invoice_void',
  `update invoice set state = 'void' where id = :id and state = 'open' returning id`,
).hasRows((id: string) => ({ id }));
