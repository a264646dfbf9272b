import { type Caller, KEYLESS_CALLER } from '../../access/caller.js';
import type { Meter } from '../../billing/usage/meter.js';
import { createPrice } from '../cost/cost.js';
import { unitsOfError } from '../cost/metering.js';
import { toAppError } from '../http/error.js';
import type { CalledOperation } from './access.js';

/** @param wire the bytes of the request. @param work its result is that of the call */
type Metered = <Result>(caller: Caller, wire: Buffer, work: () => Promise<Result>) => Promise<Result>;

/**
 * @returns a function that counts a call, as calls over HTTP are counted; nobody pays for one without a key. It throws
 *   AppError `payment_required` for a plan that has too few units left, and what the work throws
 * @throws Error immediately for an operation whose cost depends on members of a query or of a JSON body
 */
export const createMetered = (meter: Meter, operation: CalledOperation): Metered => {
  const { id, cost } = operation;
  if (!('fixed' in cost) && cost.count === undefined) {
    throw new Error(`the cost of ${id} is neither fixed nor counted in bytes`);
  }
  const priceOf = createPrice(operation);
  return async (caller, wire, work) => {
    if (caller === KEYLESS_CALLER) return work();
    const { organizationId, keyId, planId } = caller;
    const units = priceOf(undefined, wire);
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
};
