import { invalidField } from '../../error.js';
import type { Network } from '../../schema/onchain/network.js';
import { HandlerResponse } from '../http/operation.js';
import type { Services } from '../http/service.js';

/** Header with the networks that failed, separated by commas, whose balances are missing; absent when none failed. */
const PARTIAL = 'x-partial-networks';

/** @returns the body, with the header when networks are missing */
export const withPartial = <Body>(body: Body, partial: readonly string[]): Body | HandlerResponse<Body> =>
  partial.length === 0 ? body : new HandlerResponse(200, body, { [PARTIAL]: partial.join(',') });

/**
 * @returns the distinct requested networks that are configured, and the others, which the response names
 * @throws AppError invalid with `property` when none of them is configured
 */
export const splitNetworks = (
  requested: readonly Network[],
  property: string,
  services: Pick<Services, 'networks'>,
): { readonly configured: Network[]; readonly missing: Network[] } => {
  const distinct = [...new Set(requested)];
  const configured = distinct.filter((network) => services.networks.configured.includes(network));
  if (configured.length === 0) configuredNetworks(distinct, property, services);
  return { configured, missing: distinct.filter((network) => !configured.includes(network)) };
};

/**
 * @returns the distinct requested networks
 * @throws AppError invalid with `property` when one of them is not configured
 */
export const configuredNetworks = (
  requested: readonly Network[],
  property: string,
  { networks }: Pick<Services, 'networks'>,
): Network[] => {
  if (requested.length === 0) throw invalidField(property, `${property} must name at least one network`);
  for (const network of requested) networks.client(network, property);
  return [...new Set(requested)];
};
