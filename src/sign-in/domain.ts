import { invalidField, notFound } from '../error.js';

/** The domains whose apps may use the sign-in services, in lower case; `any`: all of them. */
export type SignInDomains = 'any' | readonly string[];

/**
 * @throws AppError 'not_found' if the services are off; 'invalid' with property `domain` for a domain that the operator
 *   does not serve
 */
export const requireServedDomain = (domains: SignInDomains, domain: string): void => {
  if (domains === 'any' || domains.includes(domain.toLowerCase())) return;
  if (domains.length === 0) throw notFound('This service has no sign-in services: CASTELLAN_SIGN_IN_DOMAINS is none.');
  throw invalidField(
    'domain',
    `domain ${domain} is not served here: its operator may add it to CASTELLAN_SIGN_IN_DOMAINS`,
  );
};
