import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { AppError, notFound } from '../../error.js';
import { insertAuditEntry } from '../../store/access/audit-log.js';
import {
  type InvoiceRow,
  selectInvoice,
  selectInvoiceByReference,
  selectOpenInvoices,
  updateInvoicePaid,
  updateInvoiceVoid,
} from '../../store/billing/invoice.js';
import {
  type Subscription,
  selectSubscriptionForUpdate,
  updateSubscription,
} from '../../store/billing/subscription.js';
import { bookPayment, bookVoid } from './ledger.js';
import { lockSubscription } from './subscription-lock.js';

/** @returns whether the invoice belongs to the running period */
const isRunning = (row: Subscription, invoice: InvoiceRow): boolean =>
  invoice.periodStart.getTime() === row.periodStart.getTime();

/** @returns the status once an invoice is no longer open. */
const statusAfter = async (session: Session, row: Subscription): Promise<string | null> => {
  const isBehind = (await selectOpenInvoices(session, row.organizationId)).length > 0;
  return row.status === 'past_due' && !isBehind ? 'active' : row.status;
};

/**
 * Marks an invoice as paid.
 * @param row locked
 * @returns false when it was not open
 */
export const settleOpenInvoice = async (
  session: Session,
  row: Subscription,
  invoice: InvoiceRow,
  now: Date,
): Promise<boolean> => {
  if (!(await updateInvoicePaid(session, invoice.id, now))) return false;
  await bookPayment(session, invoice, now);
  await updateSubscription(session, row.organizationId, {
    status: await statusAfter(session, row),
    ...(isRunning(row, invoice) && { paidCents: invoice.priceCents }),
  });
  return true;
};

/**
 * Voids an open invoice: its credit is restored, and nothing counts as paid for its period.
 * @param row locked
 * @returns false when it was not open
 */
const voidOpenInvoice = async (
  session: Session,
  row: Subscription,
  invoice: InvoiceRow,
  now: Date,
): Promise<boolean> => {
  if (!(await updateInvoiceVoid(session, invoice.id))) return false;
  await bookVoid(session, invoice, now);
  await updateSubscription(session, row.organizationId, {
    status: await statusAfter(session, row),
    creditCents: row.creditCents + invoice.creditCents,
    ...(isRunning(row, invoice) && { paidCents: 0 }),
  });
  return true;
};

/**
 * Applies the final state that a provider reports for a booked invoice.
 * @returns whether it was open
 */
export const endKnownInvoice = async (
  session: Session,
  ended: {
    readonly organizationId: string;
    readonly reference: string;
    readonly as: 'paid' | 'void';
    readonly now: Date;
  },
): Promise<boolean> => {
  const row = await selectSubscriptionForUpdate(session, ended.organizationId);
  const invoice = await selectInvoiceByReference(session, ended.reference);
  if (row === undefined || invoice?.organizationId !== ended.organizationId) return false;
  return (ended.as === 'paid' ? settleOpenInvoice : voidOpenInvoice)(session, row, invoice, ended.now);
};

/**
 * Ends an open invoice for an operator: as paid or as void.
 * @throws AppError 'not_found' for an unknown one, 'conflict' for one that is not open or that a provider collects
 */
export const endInvoice = (
  db: Database,
  ended: { readonly id: string; readonly as: 'paid' | 'void'; readonly now: Date },
): Promise<InvoiceRow> =>
  db.transaction(async (session) => {
    const invoice = await selectInvoice(session, ended.id);
    if (invoice === undefined)
      throw notFound(`There is no invoice ${ended.id}. \`castellan invoice list\` shows them.`);
    if (invoice.providerReference !== null && !invoice.providerReference.startsWith('ledger:')) {
      const message = `The invoice ${ended.id} is collected by the payment provider, as ${invoice.providerReference}. End it there.`;
      throw new AppError('conflict', 'KeptByProvider', message);
    }
    const row = await lockSubscription(session, invoice.organizationId);
    const end = ended.as === 'paid' ? settleOpenInvoice : voidOpenInvoice;
    if (row === undefined || !(await end(session, row, invoice, ended.now))) {
      throw new AppError('conflict', 'InvoiceEnded', `The invoice ${ended.id} is not open: it is ${invoice.state}.`);
    }
    await insertAuditEntry(session, {
      organizationId: invoice.organizationId,
      action: ended.as === 'paid' ? 'invoice.settled' : 'invoice.voided',
      detail: { invoiceId: invoice.id, amountCents: invoice.amountCents, creditCents: invoice.creditCents },
      at: ended.now,
    });
    return invoice;
  });
