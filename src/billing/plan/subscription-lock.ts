import { isLockedTooLong } from '../../db/failure.js';
import type { Session } from '../../db/statement.js';
import { AppError } from '../../error.js';
import { limitLockWait, type Subscription, selectSubscriptionForUpdate } from '../../store/billing/subscription.js';

/** Maximum wait for a subscription's lock, because a waiting transaction occupies a connection. */
export const LOCK_WAIT_MS = 10_000;

/**
 * Locks the subscription of an organization until the transaction ends.
 * @returns undefined for an unknown organization
 * @throws AppError 'unavailable' after a lock timeout, which aborts the transaction
 */
export const lockSubscription = async (session: Session, organizationId: string): Promise<Subscription | undefined> => {
  await limitLockWait(session, LOCK_WAIT_MS);
  try {
    return await selectSubscriptionForUpdate(session, organizationId);
  } catch (error) {
    if (!isLockedTooLong(error)) throw error;
    const message = 'The subscription of the organization is in use by somebody else. Try again shortly.';
    throw new AppError('unavailable', 'ServiceUnavailable', message, { retryAfter: 10, cause: error });
  }
};
