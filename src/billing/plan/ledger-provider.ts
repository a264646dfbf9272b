import type { PaymentProvider } from './provider.js';

/**
 * Payments without an outside service. The invoice is stored in the transaction of the plan change, so there is no charge
 * with an unknown result, and nothing to schedule for the end of a period.
 * @param settlement whether invoices count as paid by bank at once, or are open until an operator settles them
 */
export const createLedgerProvider = (settlement: 'paid' | 'open'): PaymentProvider => ({
  name: 'ledger',
  charge: async ({ id }) => ({ reference: `ledger:${id}`, invoice: settlement, names: {}, status: 'active' }),
  resolve: async () => ({ kind: 'not_charged', reason: 'The service stopped before the invoice was written.' }),
  schedule: async () => undefined,
  unschedule: async () => undefined,
});
