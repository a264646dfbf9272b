import { AppError } from '../../error.js';
import { reportOf } from '../ingest-outcome.js';
import type { Ingest } from '../pipeline/pipeline.js';
import type { HubClient } from './client.js';

/** True for the error of a hub that already has the message. */
const isKnownToHub = (error: unknown): boolean =>
  error instanceof AppError && error.hubCode === 'bad_request.duplicate';

/**
 * Submits messages of a service with a hub: first to the hub, which decides, then to the store, without waiting for the
 * hub's stream. A message that the store still rejects (its key's registration has not arrived) comes with the stream.
 * A message that the hub already has was accepted in an earlier attempt and is stored, too.
 * @throws AppError kind `invalid` if the hub rejects the message, `unavailable` if it does not respond
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
