import type { PaymentProvider } from '../provider.js';

/**
 * No outside service: an invoice is all there is, and it is written with the change itself. So a charge that was lost
 * never was, and nothing has to be arranged for the end of a period.
 * @param settlement whether invoices count as paid by bank at once, or are open until an operator settles them
 */
export const createLedgerProvider = (settlement: 'paid' | 'open'): PaymentProvider => ({
  name: 'ledger',
  charge: async ({ id }) => ({ reference: `ledger:${id}`, invoice: settlement, names: {}, status: 'active' }),
  resolve: async () => ({ kind: 'not_charged', reason: 'The service stopped before the invoice was written.' }),
  schedule: async () => undefined,
  unschedule: async () => undefined,
});
