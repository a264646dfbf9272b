import { invalidField } from '../../error.js';
import type { Network } from '../../schema/onchain/network.js';
import { Outcome } from '../operation.js';
import type { Services } from '../service.js';

/** Lists the networks that did not answer, with commas: what they hold is missing. Absent when all answered. */
const PARTIAL = 'x-partial-networks';

/** @returns the answer, with a header that tells what it lacks. */
export const withPartial = <Body>(body: Body, partial: readonly string[]): Body | Outcome<Body> =>
  partial.length === 0 ? body : new Outcome(200, body, { [PARTIAL]: partial.join(',') });

/**
 * @returns the networks asked for, each once
 * @throws AppError invalid with `property` when one of them is not configured
 */
export const configuredNetworks = (
  asked: readonly Network[],
  property: string,
  { networks }: Pick<Services, 'networks'>,
): Network[] => {
  if (asked.length === 0) throw invalidField(property, `${property} must name at least one network`);
  for (const network of asked) networks.client(network, property);
  return [...new Set(asked)];
};
