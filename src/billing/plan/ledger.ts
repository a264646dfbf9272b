import { randomUUID } from 'node:crypto';
import type { Session } from '../../db/statement.js';
import { type InvoiceRow, insertInvoice } from '../../store/billing/invoice.js';
import { type Account, insertLedgerEntries, type LedgerEntry } from '../../store/billing/ledger-entry.js';
import type { Period } from './period.js';

/** @returns the two entries of one transaction */
const move = (from: Account, to: Account, cents: number): LedgerEntry[] => {
  if (cents === 0) return [];
  const transactionId = randomUUID();
  return [
    { transactionId, account: to, amountCents: cents },
    { transactionId, account: from, amountCents: -cents },
  ];
};

/** Content of a new invoice. Amounts are US cents. */
export interface Billed {
  readonly organizationId: string;
  /** null: a renewal. */
  readonly planChangeId: string | null;
  readonly planId: string;
  readonly period: Period;
  readonly priceCents: number;
  /** Value of the unused units of the ended period, which becomes credit. */
  readonly unusedCents: number;
  /** Reduction of the price, taken from credit. */
  readonly creditCents: number;
  readonly state: 'open' | 'paid';
  /** The provider's id of the invoice. */
  readonly reference: string | null;
  readonly at: Date;
}

const payment = (cents: number): LedgerEntry[] => move('receivable', 'cash', cents);

/**
 * Stores an invoice with its ledger entries. An invoice of 0 cents is paid.
 * @returns US cents that settle its period so far: the credit, plus the rest if it is paid
 */
export const bookInvoice = async (session: Session, billed: Billed): Promise<number> => {
  const { organizationId, planChangeId, planId, period, priceCents, unusedCents, creditCents, at } = billed;
  const id = randomUUID();
  const amountCents = priceCents - creditCents;
  const state = amountCents === 0 ? 'paid' : billed.state;
  await insertInvoice(session, {
    id,
    organizationId,
    planChangeId,
    planId,
    periodStart: period.start,
    periodEnd: period.end,
    priceCents,
    creditCents,
    amountCents,
    state,
    providerReference: billed.reference,
    createdAt: at,
    paidAt: state === 'paid' ? at : null,
  });
  await insertLedgerEntries(session, { organizationId, planChangeId, invoiceId: id, at }, [
    ...move('credit', 'revenue', unusedCents),
    ...move('revenue', 'receivable', priceCents),
    ...move('receivable', 'credit', creditCents),
    ...(state === 'paid' ? payment(amountCents) : []),
  ]);
  return state === 'paid' ? priceCents : creditCents;
};

const causeOf = ({ organizationId, planChangeId, id }: InvoiceRow, at: Date) => ({
  organizationId,
  planChangeId,
  invoiceId: id,
  at,
});

/** Books the payment of an open invoice. */
export const bookPayment = (session: Session, invoice: InvoiceRow, at: Date): Promise<void> =>
  insertLedgerEntries(session, causeOf(invoice, at), payment(invoice.amountCents));

/** Books that an open invoice is void, which restores its credit. */
export const bookVoid = (session: Session, invoice: InvoiceRow, at: Date): Promise<void> =>
  insertLedgerEntries(session, causeOf(invoice, at), [
    ...move('receivable', 'revenue', invoice.priceCents),
    ...move('credit', 'receivable', invoice.creditCents),
  ]);

/** Books a payment as credit, because its period was never used. */
export const bookCredit = (
  session: Session,
  credit: { readonly organizationId: string; readonly cents: number; readonly at: Date },
): Promise<void> => {
  const { organizationId, cents, at } = credit;
  return insertLedgerEntries(
    session,
    { organizationId, planChangeId: null, invoiceId: null, at },
    move('credit', 'revenue', cents),
  );
};
