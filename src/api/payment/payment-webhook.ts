import Type from 'typebox';
import { notFound } from '../../error.js';
import { OperationResponse } from '../../schema/operation.js';
import { operation, signedJson } from '../http/operation.js';

/** Not part of the contract, which has no endpoint for payment providers. */
export const paymentWebhook = operation({
  id: 'payment-webhook',
  method: 'POST',
  path: '/portal/webhooks/payment',
  tags: ['portal'],
  title: 'Receive payment events',
  summary: 'Takes in a signed event of the payment provider; nobody else calls it.',
  cost: { fixed: 0 },
  // The signature authenticates the provider.
  scope: 'public',
  headers: Type.Object({
    'stripe-signature': Type.Optional(
      Type.String({ description: 'Time and HMAC of the body, under the secret of the webhook.' }),
    ),
  }),
  body: signedJson,
  response: OperationResponse,
  errors: [400, 404],
  handle: async ({ body, headers }, { paymentEvents }) => {
    if (paymentEvents === undefined) {
      throw notFound('This server takes no events of a payment provider: CASTELLAN_PAYMENT_PROVIDER is ledger.');
    }
    await paymentEvents.take(body, headers['stripe-signature']);
    return { success: true };
  },
});
