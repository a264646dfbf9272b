import Type from 'typebox';
import { notFound } from '../../error.js';
import { EXAMPLE_UUID } from '../../schema/example.js';
import { TransactionFrameResponse } from '../../schema/onchain/pay-frame.js';
import { selectPayFrame } from '../../store/onchain/pay-frame.js';
import { isUuid } from '../../uuid.js';
import { operation } from '../http/operation.js';
import { findPayment } from './find-payment.js';
import { viewPayFrame } from './view-pay-frame.js';

export const getTransactionPayFrame = operation({
  id: 'get-transaction-pay-frame',
  path: '/v2/social/frame/transaction/pay/',
  tags: ['Frame'],
  title: 'Get a payment page',
  summary: 'Read one payment mini app of the caller, and whether its payment was found on the chain.',
  cost: { fixed: 2 },
  waitsOutside: true,
  needsApp: true,
  query: Type.Object({ id: Type.String() }),
  parameters: { id: { description: 'The id of the page.', example: EXAMPLE_UUID } },
  response: TransactionFrameResponse,
  errors: [400, 404, 500],
  handle: async ({ query, caller, log }, services) => {
    const { db, publicUrl } = services;
    const frame = isUuid(query.id) ? await selectPayFrame(db, query.id) : undefined;
    if (frame?.appId !== caller.appId) throw notFound('This app has no payment mini app with this id.', 'id');
    const isCompleted = await findPayment(services, frame, log);
    return { transaction_frame: viewPayFrame(frame, isCompleted, publicUrl) };
  },
});
