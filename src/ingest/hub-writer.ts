import { AppError } from '../error.js';
import type { HubClient } from './hub/client.js';
import { reportOf } from './ingest-outcome.js';
import type { Ingest } from './pipeline.js';

/** True for what a hub says of a message that it holds. */
const isKnownToHub = (error: unknown): boolean =>
  error instanceof AppError && error.hubCode === 'bad_request.duplicate';

/**
 * The way in for messages that are submitted to a service which reads from a hub: the hub decides, and what it took is
 * stored here at once instead of when its stream brings it. What the store still refuses then (a key whose
 * registration is on its way) comes with the stream. What the hub holds already was taken at an earlier try, and is
 * stored like that.
 * @throws AppError kind `invalid` when the hub refuses, `unavailable` when it is away
 */
export const submitThroughHub =
  (client: Pick<HubClient, 'submitMessage'>, ingest: Ingest): Ingest['submit'] =>
  async (items, options) => {
    for (const item of items) {
      if (item.kind !== 'message') continue;
      await client.submitMessage(item.wire).catch((error) => {
        if (!isKnownToHub(error)) throw error;
      });
    }
    const { outcomes } = await ingest.submit(items, { ...options, source: 'hub' });
    return reportOf(outcomes.map((outcome) => (outcome.status === 'invalid' ? { status: 'merged' } : outcome)));
  };
