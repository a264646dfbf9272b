import { type TargetRule, targetError } from '../../delivery/target.js';
import { invalidField } from '../../error.js';

/** Path of the endpoint that receives actions, below the target's base URL (GAPS 4.4). */
const ACTION_PATH = '/api/farcaster/action';
const MAX_LENGTH = 2048;

/**
 * @param baseUrl may have a path, which is kept
 * @returns the URL to which the action is sent
 * @throws AppError 'invalid' with property `base_url` for a URL that may not be called
 */
export const readActionAddress = (baseUrl: string, rule: TargetRule): URL => {
  if (baseUrl.length > MAX_LENGTH) {
    throw invalidField('base_url', `base_url may have ${MAX_LENGTH} characters at most.`);
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const fault = url ? targetError(url, rule) : 'is not a URL.';
  if (!url || fault !== undefined) throw invalidField('base_url', `base_url ${fault}`);
  if (url.search !== '' || url.hash !== '') {
    throw invalidField('base_url', 'base_url must end with its host or path, without query and fragment.');
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${ACTION_PATH}`;
  return url;
};
