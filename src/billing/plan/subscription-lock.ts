import { AppError } from '../../error.js';
import type { Session } from '../../store/database.js';
import { isLockedTooLong } from '../../store/failure.js';
import { limitLockWait, type Subscription, selectSubscriptionForUpdate } from '../../store/subscription.js';

/** How long anybody waits for a subscription: who waits holds a connection that others need. */
export const LOCK_WAIT_MS = 10_000;

/**
 * Locks what an organization subscribes to until the transaction ends.
 * @returns undefined for an unknown organization
 * @throws AppError 'unavailable' where somebody else holds it too long; the transaction is over then
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
