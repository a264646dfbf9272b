import { notFound } from '../../error.js';
import { RetryRefusedReqBody, RetryRefusedResponse } from '../../schema/operator/service.js';
import { operation } from '../http/operation.js';

export const retryRefusedItem = operation({
  id: 'retry-refused-item',
  method: 'POST',
  path: '/operator/refused-items/retry',
  tags: ['operator'],
  title: 'Try a refused item again',
  summary: 'Store a refused item after all, once the cause is gone; if it is refused again, it stays.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: RetryRefusedReqBody,
  bodyExample: { id: 1 },
  bodyExampleNote: 'Put in the `id` of an item of the list.',
  response: RetryRefusedResponse,
  errors: [400, 403, 404],
  handle: async ({ body: { id }, disconnected }, { retryRefused }) => {
    const { stored, refused } = await retryRefused({ id, signal: disconnected });
    if (stored + refused === 0) throw notFound(`There is no refused item ${id}.`, 'id');
    return { is_stored: stored > 0 };
  },
});
