import type { Session } from '../db/statement.js';
import { DAY_MS } from '../duration.js';
import { AppError } from '../error.js';
import { countApiKeys, lockApiKeys } from '../store/access/api-key.js';

/**
 * Working keys of an app, made by itself or by operators, up to which it makes further ones by itself: each has the requests a minute
 * of the plan to itself. Operators may make more.
 */
export const MAX_WORKING_KEYS = 20;
/** Keys of an app made within a day, by itself or by operators, up to which it makes further ones by itself. */
export const MAX_NEW_KEYS = 100;

const full = (message: string): AppError => new AppError('forbidden', 'KeyLimitReached', message);

/**
 * Checks in the transaction of the insertion whether an app may have another key; others that ask wait until it ends.
 * @param isSuccessor whether it replaces one that works on for a while
 * @throws AppError 'forbidden'
 */
export const requireRoomForKey = async (
  session: Session,
  { appId, now, isSuccessor }: { readonly appId: string; readonly now: Date; readonly isSuccessor: boolean },
): Promise<void> => {
  await lockApiKeys(session, appId);
  const { working, made } = await countApiKeys(session, appId, { now, since: new Date(now.getTime() - DAY_MS) });
  if (working > MAX_WORKING_KEYS || (working === MAX_WORKING_KEYS && !isSuccessor))
    throw full(
      `The app has ${working} keys that work; from ${MAX_WORKING_KEYS} on, only operators make more: revoke one, or ask an operator.`,
    );
  if (made >= MAX_NEW_KEYS)
    throw full(
      `The app got ${made} keys within a day; from ${MAX_NEW_KEYS} on, only operators make more: try again later.`,
    );
};
