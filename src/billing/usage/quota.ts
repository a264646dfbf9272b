import { AppError } from '../../error.js';
import { utcDay } from '../plan/period.js';
import type { Usage } from './meter.js';

const number = new Intl.NumberFormat('en-US');
const UPGRADE = 'POST /portal/subscription/upgrade';

/** Rejects a call that exceeds the plan; carries the usage for the response headers. */
export class QuotaExceededError extends AppError {
  constructor(
    message: string,
    readonly usage: Usage,
  ) {
    super('payment_required', 'PaymentRequired', message);
  }
}

/** @param units cost of the rejected call */
export const quotaExceeded = (
  { used, limit, resetsAt }: Usage & { readonly limit: number },
  units: number,
): QuotaExceededError => {
  const day = utcDay(resetsAt);
  const shown = Math.min(used, limit);
  const share = `${number.format(shown)} of ${number.format(limit)} compute units`;
  const message = `The organization has used ${share} of its plan, and this call costs ${number.format(units)}. They are reset on ${day} (UTC); ${UPGRADE} changes to a larger plan at once.`;
  return new QuotaExceededError(message, { used: shown, limit, resetsAt });
};
