import { writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';

type Columns = Camel<Tables['ledger_entry']>;

/** receivable: owed by the organization; credit: owed to it; revenue and cash: earned from it and paid by it. */
export type Account = Columns['account'];

/** One side of a booking, in US cents, debit positive; entries of one transaction add up to zero. */
export type LedgerEntry = Pick<Columns, 'transactionId' | 'account' | 'amountCents'>;

/** The cause of entries. */
export type LedgerCause = Pick<Columns, 'organizationId' | 'planChangeId' | 'invoiceId'> & { readonly at: Date };

/** Adds entries to the ledger, which is append-only. */
export const insertLedgerEntries = writeQuery(
  'insert_ledger_entries',
  `insert into ledger_entry
      (organization_id, transaction_id, account, amount_cents, plan_change_id, invoice_id, created_at)
    select :organizationId, transaction_id, account, amount_cents, :planChangeId?, :invoiceId?, :at
      from unnest(:transactionIds::uuid[], :accounts::text[], :amountCentses::bigint[]) with ordinality
        as entry (transaction_id, account, amount_cents, place)
     order by place`,
).done((cause: LedgerCause, entries: readonly LedgerEntry[]) =>
  entries.length === 0
    ? undefined
    : {
        organizationId: cause.organizationId,
        planChangeId: cause.planChangeId,
        invoiceId: cause.invoiceId,
        at: cause.at,
        transactionIds: entries.map((row) => row.transactionId),
        accounts: entries.map((row) => row.account),
        amountCentses: entries.map((row) => row.amountCents),
      },
);
