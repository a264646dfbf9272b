import { type TargetRule, targetFault } from '../../delivery/target.js';
import { invalidField } from '../../error.js';

/** Where apps take actions, below their base (GAPS 4.4). */
const ACTION_PATH = '/api/farcaster/action';
/** Browsers and servers take little more. */
const MAX_LENGTH = 2048;

/**
 * @param baseUrl as the caller named it; a path of its own stays in front
 * @returns where the action goes
 * @throws AppError 'invalid' with property `base_url` for what is never called
 */
export const readActionAddress = (baseUrl: string, rule: TargetRule): URL => {
  if (baseUrl.length > MAX_LENGTH) {
    throw invalidField('base_url', `base_url may have ${MAX_LENGTH} characters at most.`);
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const fault = url ? targetFault(url, rule) : 'is not a URL.';
  if (!url || fault !== undefined) throw invalidField('base_url', `base_url ${fault}`);
  if (url.search !== '' || url.hash !== '') {
    throw invalidField('base_url', 'base_url must end with its host or path, without query and fragment.');
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${ACTION_PATH}`;
  return url;
};
