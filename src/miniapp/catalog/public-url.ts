import { type TargetRule, targetError } from '../../delivery/target.js';
import { ManifestError } from '../manifest-error.js';

/** Longest URL after characters were escaped. */
const MAX_LENGTH = 2048;

/** Escapes what browsers leave in an address and RFC 3986 does not allow there. */
const escapeUrl = (href: string): string =>
  href.replaceAll(/[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/g, encodeURIComponent).replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25');

/**
 * Reads an address that a stranger wrote, for others to load.
 * @param what names it in the fault: `miniapp.iconUrl`
 * @returns the address, normalized: https, or http on this machine where the rule allows that
 * @throws ManifestError
 */
export const readPublicUrl = (text: string, what: string, rule: TargetRule): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = url ? targetError(url, rule) : 'is no address.';
  if (url === undefined || problem !== undefined) {
    throw new ManifestError(`The address in ${what} cannot be used: it ${problem}`);
  }
  const href = escapeUrl(url.href);
  if (href.length > MAX_LENGTH) throw new ManifestError(`The address in ${what} is too long.`);
  return href;
};
