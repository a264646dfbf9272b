import { type Session, sql } from '../../db/statement.js';

/** receivable: owed by the organization; credit: owed to it; revenue and cash: earned from it and paid by it. */
export type Account = 'receivable' | 'revenue' | 'credit' | 'cash';

/** One side of a booking. */
export interface LedgerEntry {
  /** Entries of one transaction add up to zero. */
  readonly transactionId: string;
  readonly account: Account;
  /** US cents, debit positive. */
  readonly amountCents: number;
}

/** The cause of entries. */
export interface LedgerCause {
  readonly organizationId: string;
  readonly planChangeId: string | null;
  readonly invoiceId: string | null;
  readonly at: Date;
}

const insertLedgerEntriesSql = sql(
  'insert_ledger_entries',
  `insert into ledger_entry
      (organization_id, transaction_id, account, amount_cents, plan_change_id, invoice_id, created_at)
    select $1, transaction_id, account, amount_cents, $2, $3, $4
      from unnest($5::uuid[], $6::text[], $7::bigint[]) with ordinality
        as entry (transaction_id, account, amount_cents, place)
     order by place`,
);

/** Adds entries to the ledger, which is append-only. */
export const insertLedgerEntries = async (
  session: Session,
  cause: LedgerCause,
  entries: readonly LedgerEntry[],
): Promise<void> => {
  if (entries.length === 0) return;
  await session.run(insertLedgerEntriesSql, [
    cause.organizationId,
    cause.planChangeId,
    cause.invoiceId,
    cause.at,
    entries.map((entry) => entry.transactionId),
    entries.map((entry) => entry.account),
    entries.map((entry) => entry.amountCents),
  ]);
};

const selectLedgerBalancesSql = sql<{ account: Account; cents: number }>(
  'select_ledger_balances',
  `select account, sum(amount_cents)::bigint as cents from ledger_entry where organization_id = $1 group by account`,
);

/** @returns the balance of each account of an organization, US cents, debit positive; accounts without entries are absent. */
export const selectLedgerBalances = async (
  session: Session,
  organizationId: string,
): Promise<Partial<Record<Account, number>>> => {
  const rows = await session.select(selectLedgerBalancesSql, [organizationId]);
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
};
