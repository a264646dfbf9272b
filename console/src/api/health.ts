import { useQuery } from '@tanstack/preact-query';
import { type Answer, failureOf, ServiceError, send } from './client.js';
import { useOnPage } from './query.js';
import type { components } from './schema.js';

const READY = '/health/ready';

type Readiness = components['schemas']['Readiness'];

/** How the service is, by its own word or because it does not give one. */
export interface Health extends Readiness {
  /** Why the service says nothing about itself; it is unavailable then. */
  readonly failure?: ServiceError;
}

const isReadiness = (body: unknown): body is Readiness =>
  typeof body === 'object' && body !== null && 'status' in body && 'checks' in body;

const unavailable = (failure: ServiceError): Health => ({ status: 'unavailable', checks: {}, failure });

/** A service that is not ready says why in the body of its 503; an answer without such a body counts as unavailable, too. */
const readHealth = async (): Promise<Health> => {
  let answer: Answer;
  try {
    answer = await send('GET', READY);
  } catch (error) {
    if (error instanceof ServiceError) return unavailable(error);
    throw error;
  }
  return isReadiness(answer.parsed) ? answer.parsed : unavailable(failureOf(answer));
};

/**
 * @param every milliseconds between two reads
 * @param isListed false: it is of the frame, not of the page
 * @returns the health as of the last read; undefined before the first one
 */
export const useHealth = (every: number, isListed = true): Health | undefined => {
  useOnPage(READY, isListed);
  return useQuery({ queryKey: [READY], queryFn: readHealth, refetchInterval: every }).data;
};
