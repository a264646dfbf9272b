import type Stripe from 'stripe';
import { CHARGE } from './client.js';

/**
 * Finalizes the draft invoice of a renewal and charges it, an hour before Stripe would. If this process stops in between,
 * Stripe charges the finalized invoice later. An invoice is paid once; Stripe itself retries a failed charge.
 * @throws the library's errors; the invoice then shows whether it was charged
 */
export const collectRenewal = async (stripe: Stripe, id: string): Promise<void> => {
  const found = await stripe.invoices.retrieve(id);
  const isOwn = found.billing_reason === 'subscription_cycle' && found.collection_method !== 'send_invoice';
  if (!isOwn || found.attempt_count > 0) return;
  const finished =
    found.status === 'draft'
      ? await stripe.invoices.finalizeInvoice(id, {}, { idempotencyKey: `${id}:finalize` })
      : found;
  // Finalizing pays an invoice of 0 cents.
  if (finished.status !== 'open') return;
  await stripe.invoices.pay(id, { off_session: true }, { ...CHARGE, idempotencyKey: `${id}:pay` });
};
