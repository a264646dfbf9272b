import { writeQuery } from '../query-function.js';
import { arraysOf, type Camel } from '../table.js';
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
    select $1, transaction_id, account, amount_cents, $2, $3, $4
      from unnest($5::uuid[], $6::text[], $7::bigint[]) with ordinality
        as entry (transaction_id, account, amount_cents, place)
     order by place`,
).done((cause: LedgerCause, entries: readonly LedgerEntry[]) =>
  entries.length === 0
    ? undefined
    : [
        cause.organizationId,
        cause.planChangeId,
        cause.invoiceId,
        cause.at,
        ...arraysOf(entries, 'transactionId', 'account', 'amountCents'),
      ],
);
