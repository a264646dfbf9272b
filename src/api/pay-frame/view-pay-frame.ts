import { toHex } from '../../hex.js';
import type { Payable } from '../../onchain/payment/settle.js';
import type { TransactionFrameConfig, TransactionFrameResponse } from '../../schema/onchain/pay-frame.js';
import type { PayFrameRow } from '../../store/onchain/pay-frame.js';

/** Path of the pages that collect payments. */
export const PAY_PATH = '/pay';

/** @returns the public address of a page */
export const payUrl = (publicUrl: string, id: string): string => `${publicUrl}${PAY_PATH}/${id}`;

type Frame = TransactionFrameResponse['transaction_frame'];

/** Members as the app sent them; the column is JSON that only `create-transaction-pay-frame` writes. */
export const configOf = ({ config }: Pick<PayFrameRow, 'config'>): TransactionFrameConfig =>
  config as TransactionFrameConfig;

export const payableOf = (frame: PayFrameRow): Payable => ({ frame, allowedFids: configOf(frame).allowlist_fids });

/** @param isCompleted whether the payment was found on the chain */
export const viewPayFrame = (frame: PayFrameRow, isCompleted: boolean, publicUrl: string): Frame => ({
  id: frame.id,
  url: payUrl(publicUrl, frame.id),
  type: 'pay',
  status: isCompleted ? 'completed' : 'created',
  transaction: {
    to: {
      network: frame.network as Frame['transaction']['to']['network'],
      address: toHex(frame.recipient),
      token_contract_address: toHex(frame.token),
      amount: Number(frame.amount),
    },
  },
  config: configOf(frame),
});
