import type Stripe from 'stripe';
import { CHARGE } from '../stripe-client.js';

/**
 * Finishes the draft of a renewal and charges it, an hour before the provider would do both. Each step stands for
 * itself: what is finished and not charged, since this process died, the provider charges in its own time. An invoice
 * is paid once, whoever asks for it how often. One whose charge was tried already is the provider's to try again.
 * @throws the library's errors; whether it was charged is then to be seen in the invoice
 */
export const collectRenewal = async (stripe: Stripe, id: string): Promise<void> => {
  const found = await stripe.invoices.retrieve(id);
  const isOwn = found.billing_reason === 'subscription_cycle' && found.collection_method !== 'send_invoice';
  if (!isOwn || found.attempt_count > 0) return;
  const finished =
    found.status === 'draft'
      ? await stripe.invoices.finalizeInvoice(id, {}, { idempotencyKey: `${id}:finalize` })
      : found;
  // Nothing due is paid with that.
  if (finished.status !== 'open') return;
  await stripe.invoices.pay(id, { off_session: true }, { ...CHARGE, idempotencyKey: `${id}:pay` });
};
