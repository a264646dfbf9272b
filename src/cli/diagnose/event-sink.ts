import type { EventSinkAddress } from '../../config/event-sink.js';
import type { Database } from '../../db/database.js';
import { selectUnsentSince } from '../../store/event/sink.js';
import { minute } from '../terminal/format.js';
import { type Finding, fail, ok, warn, whereStored } from './finding.js';

/** A running service sends events within a second. */
const UNSENT_MS = 60_000;
const CHECK = 'event sink';

const diagnoseBroker = async (address: EventSinkAddress, signal: AbortSignal): Promise<Finding> => {
  const { describeStream } = await import('../../event/sink/nats-stream.js');
  try {
    return ok(CHECK, await describeStream(address, signal));
  } catch (error) {
    return fail(
      CHECK,
      `${address.servers.join(', ')}: ${(error as Error).message}`,
      'Check the address, the login and the stream of CASTELLAN_EVENT_SINK. What happens meanwhile is sent later, as far back as the log is kept.',
    );
  }
};

/**
 * Checks the broker, and whether it has what happened.
 * @param now Unix milliseconds
 */
export const diagnoseEventSink = async (
  address: EventSinkAddress | undefined,
  open: () => Promise<Database>,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<Finding[]> => {
  if (address === undefined) return [];
  const waiting = await whereStored(open, async (db) => {
    const since = await selectUnsentSince(db);
    if (since === undefined || now - since.getTime() <= UNSENT_MS) return [ok(CHECK, 'has all events')];
    const advice = 'A running service with the role job sends them: look for "events could not be sent" in its log.';
    return [warn(CHECK, `events wait since ${minute(since)} to be sent`, advice)];
  });
  return [await diagnoseBroker(address, signal), ...waiting];
};
