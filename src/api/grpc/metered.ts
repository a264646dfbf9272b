import { type Caller, KEYLESS_CALLER } from '../../access/caller.js';
import type { Meter } from '../../billing/usage/meter.js';
import { unitsOfError } from '../cost/metering.js';
import { toAppError } from '../http/error.js';
import type { CalledOperation } from './access.js';

/** A call of an operation, or of several at once. */
interface MeteredCall {
  readonly operation: CalledOperation;
  readonly caller: Caller;
  /** How many times the call costs what its operation costs. */
  readonly times: number;
}

/**
 * Counts a call, as calls over HTTP are counted; nobody pays for one without a key.
 * @throws AppError `payment_required` for a plan that has too few units left, Error for an operation whose cost depends on
 *   its query, and what the work throws
 */
export const metered = async <Result>(
  meter: Meter,
  { operation: { id, cost }, caller, times }: MeteredCall,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (caller === KEYLESS_CALLER) return work();
  if (!('fixed' in cost)) throw new Error(`the cost of ${id} is not fixed`);
  const { organizationId, keyId, planId } = caller;
  const units = cost.fixed * times;
  const call = { organizationId, keyId, planId, operation: id, units };
  const begun = meter.begin(call);
  if (begun instanceof Promise) await begun;
  let counted: number | null = null;
  try {
    const result = await work();
    counted = units;
    return result;
  } catch (error) {
    counted = unitsOfError(units, toAppError(error));
    throw error;
  } finally {
    meter.end(call, counted);
  }
};
