import { AppError } from '../error.js';
import type { PaymentMethod } from './provider.js';

/** Nothing was charged: there is no way of payment, or it did not work, or an invoice is open. Answers 402. */
export class PaymentRefused extends AppError {
  /** What was tried, where there is one. */
  readonly paymentMethod: PaymentMethod | undefined;

  constructor(message: string, paymentMethod?: PaymentMethod, cause?: unknown) {
    super('payment_required', 'PaymentRequired', message, cause === undefined ? {} : { cause });
    this.paymentMethod = paymentMethod;
  }
}
