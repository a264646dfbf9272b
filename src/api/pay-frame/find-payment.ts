import { settlePayment } from '../../onchain/payment/settle.js';
import type { PayFrameRow } from '../../store/onchain/pay-frame.js';
import type { OperationRequest } from '../http/operation.js';
import type { Services } from '../http/service.js';
import { payableOf } from './view-pay-frame.js';

/**
 * @returns whether a page is paid. If its chain does not answer, that is logged, and the page counts as unpaid until the
 *   next request.
 */
export const findPayment = async (
  { db, networks, clock }: Pick<Services, 'db' | 'networks' | 'clock'>,
  frame: PayFrameRow,
  log: OperationRequest['log'],
): Promise<boolean> => {
  try {
    return await settlePayment({ db, networks, clock }, payableOf(frame));
  } catch (error) {
    log.warn({ err: error, network: frame.network }, 'a payment could not be looked up on its chain');
    return false;
  }
};
