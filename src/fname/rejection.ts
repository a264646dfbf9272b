import { cleanText } from '../clean-text.js';
import { AppError, invalidField } from '../error.js';
import { isFname } from '../protocol/check/username.js';

const MAX_CODE_LENGTH = 100;

/** What the public registry says about a request that it rejects (farcasterxyz/fname-registry, transfers.ts). */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['USERNAME_RESERVED', 'The name is reserved. Choose another one.'],
  ['TOO_MANY_NAMES', 'The account has another name, and an account can have one.'],
  ['THROTTLED', 'The account changed its name less than 28 days ago.'],
  ['INVALID_USERNAME', 'The registry does not accept this name.'],
  ['INVALID_FID_OWNER', 'The registry does not know yet that the account is registered. Try again shortly.'],
  ['INVALID_TIMESTAMP', 'The clocks of this service and of the registry differ by more than ten minutes.'],
  ['USERNAME_NOT_FOUND', 'Nobody has the name.'],
]);

/**
 * @param code of the registry
 * @returns conflict if the name is taken, else invalid, with property `fname`
 */
export const rejectedName = (code: unknown, name: string): AppError => {
  if (code === 'USERNAME_TAKEN') {
    return new AppError('conflict', 'NameTaken', `The name ${name} is taken. Choose another one.`, {
      property: 'fname',
    });
  }
  const text = cleanText(typeof code === 'string' ? code : '', MAX_CODE_LENGTH) || 'it says no reason';
  return invalidField('fname', REASONS.get(text) ?? `The name registry rejects the request: ${text}.`);
};

/** @throws AppError invalid with property `fname` for a text that is no name of the registry */
export const requireFname = (name: string): void => {
  if (isFname(name)) return;
  const message =
    'fname must have 1 to 16 characters of a to z, 0 to 9 and the hyphen, which is not the first, and no domain.';
  throw invalidField('fname', message);
};
