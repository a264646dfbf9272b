import { setTimeout as wait } from 'node:timers/promises';
import type { Reads } from '../../cache/read-cache.js';
import type { Database } from '../../db/database.js';
import { createPollingLoop } from '../../delivery/polling-loop.js';
import { UNANNOUNCED_WORK_MS } from '../../duration.js';
import type { SocialEvent } from '../../protocol/event/social-event.js';
import type { Dialect } from '../../schema/wire-names.js';
import { selectLogStart } from '../../store/event/log-start.js';
import {
  advanceSinkPosition,
  insertSinkPosition,
  type SinkPosition,
  selectSinkPosition,
} from '../../store/event/sink.js';
import { runDue } from '../../store/job-run.js';
import { readLogPage } from '../log-page.js';
import { renderMatches } from '../outgoing.js';
import { afterRow, eventId, isAfter, type Position, wholeRow } from '../position.js';
import { withId } from '../stream/frame.js';
import type { Broker, BrokerConnection, BrokerMessage } from './broker.js';

/** Messages that are rendered, sent and confirmed at once; that many bodies are in memory. */
const BATCH_EVENTS = 100;
/** The shortest time between two reads of the log when no more events are waiting. */
const PAUSE_MS = 50;
/** How often a process that does not send tries to take over, and one that failed tries again. */
const TAKE_OVER_MS = 2_000;
/** How long a stop waits for what the broker is about to confirm. What it does not confirm is sent again. */
const STOP_MS = 2_000;
/** The name of its lease among those of the jobs. */
const LEASE = 'send-events-to-broker';

/** Why the broker never gets something. Of rows that were deleted, nobody knows how many events they were. */
export const SKIP_REASONS = ['deleted', 'too_large'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What the sender reports. */
export interface SinkObserver {
  readonly sent: (events: number) => void;
  /** What was not sent and never will be. @param count of events, or of ids of the log if they were deleted */
  readonly skipped: (reason: SkipReason, count: number, what: string) => void;
  /** What was not confirmed is tried again. */
  readonly failed: (error: unknown) => void;
}

const positionOf = ({ logId, part }: SinkPosition): Position => (part === null ? afterRow(logId) : { logId, part });

const storedPosition = ({ logId, part }: Position): SinkPosition => ({
  logId,
  part: Number.isFinite(part) ? part : null,
});

/** An event and the message that it becomes. */
interface RenderedEvent {
  readonly event: SocialEvent;
  readonly message: BrokerMessage;
}

/** A log that lost its last rows, as after a failover without a synchronous standby, gives their ids to other events. */
const messageId = (event: SocialEvent): string => `${eventId(event)}@${event.at.getTime()}`;

/**
 * Sends the events of the log to a broker, all of them and in order, as streams send them. One process does it at a time. It
 * stores its position when the broker has confirmed: what was on the way when it ended is sent again, with the same id.
 */
export const createSinkSender = ({
  db,
  reads,
  broker,
  dialect,
  observer,
  pollMs = UNANNOUNCED_WORK_MS,
}: {
  readonly db: Database;
  readonly reads: Reads;
  readonly broker: Broker;
  /** Names in the bodies. */
  readonly dialect: Dialect;
  readonly observer: SinkObserver;
  /** Milliseconds between two reads of the log while nothing is committed; ten seconds unless given. */
  readonly pollMs?: number | undefined;
}) => {
  const render = async (events: readonly SocialEvent[], position: Position): Promise<RenderedEvent[]> => {
    const recipients = [{ appId: '', dialect, position }];
    const matches = events.map((event) => ({ event, recipients }));
    return (await renderMatches(reads, matches)).map(({ event, body }) => {
      const message = { id: messageId(event), type: event.type, fid: event.fid };
      return { event, message: { ...message, body: Buffer.from(withId(eventId(event), body)) } };
    });
  };

  /** The position in the log during one connection, which moves as the broker confirms. */
  const createPlace = (start: Position) => {
    let position = start;
    return {
      get position() {
        return position;
      },
      /** @throws if another process has moved it, because this one stood still */
      advance: async (to: Position): Promise<void> => {
        if (!isAfter(to, position)) return;
        if (!(await advanceSinkPosition(db, storedPosition(position), storedPosition(to))))
          throw new Error('Another process sends the events.');
        position = to;
      },
    };
  };
  type Place = ReturnType<typeof createPlace>;

  const sendBatch = async (
    connection: BrokerConnection,
    place: Place,
    events: readonly SocialEvent[],
  ): Promise<void> => {
    const rendered = await render(events, place.position);
    const isTooLarge = ({ message }: RenderedEvent): boolean => message.body.length > connection.maxBodyBytes;
    const fitting = rendered.filter((one) => !isTooLarge(one));
    const { confirmed, failure } = await connection.send(fitting.map(({ message }) => message));
    const last = confirmed === fitting.length ? events.at(-1) : fitting[confirmed - 1]?.event;
    if (last === undefined) throw failure;
    await place.advance(last);
    observer.sent(confirmed);
    // Also after a failure: the position has passed them, so the next attempt does not see them.
    for (const { event, message } of rendered.filter(isTooLarge))
      if (!isAfter(event, last)) observer.skipped('too_large', 1, `${eventId(event)}, of ${message.body.length} bytes`);
    if (confirmed < fitting.length) throw failure;
  };

  /** Goes on with the first event that is kept, if the next ones were deleted because they are old. */
  const skipDeleted = async (place: Place): Promise<void> => {
    const last = wholeRow(place.position);
    const start = await selectLogStart(db);
    await place.advance(afterRow(start.logId));
    observer.skipped('deleted', start.logId - last, `those after ${last} up to ${start.logId}`);
  };

  /** @returns whether more may be waiting */
  const sendPage = async (connection: BrokerConnection, place: Place): Promise<boolean> => {
    const page = await readLogPage({ db, reads }, place.position);
    if (page === undefined) {
      await skipDeleted(place);
      return true;
    }
    for (let from = 0; from < page.events.length; from += BATCH_EVENTS) {
      if (rounds.isStopping) return false;
      await sendBatch(connection, place, page.events.slice(from, from + BATCH_EVENTS));
    }
    await place.advance(page.end);
    return !page.isLast;
  };

  const startPlace = async (): Promise<Place> => {
    await insertSinkPosition(db);
    return createPlace(positionOf(await selectSinkPosition(db)));
  };

  /** Aborted when the log must be read again. */
  let committed = new AbortController();
  const readSoon = (): void => committed.abort();
  reads.onChange(readSoon);
  /** Aborted when a stop has waited long enough. */
  const ending = new AbortController();

  const sendWhileLeased = async (lost: AbortSignal): Promise<void> => {
    // Before connecting: what happens while the broker is away at the first start is sent, too.
    const place = await startPlace();
    const connection = await broker.connect(AbortSignal.any([lost, ending.signal]));
    let hasEnded = false;
    void connection.ended.then(() => {
      hasEnded = true;
      readSoon();
    });
    try {
      while (!lost.aborted && !rounds.isStopping) {
        if (hasEnded) throw new Error('The broker has closed the connection.');
        committed = new AbortController();
        if (await sendPage(connection, place)) continue;
        await wait(PAUSE_MS, undefined, { ref: false });
        await wait(pollMs, undefined, { ref: false, signal: committed.signal }).catch(() => undefined);
      }
    } finally {
      await connection.close();
    }
  };
  const rounds = createPollingLoop({
    everyMs: TAKE_OVER_MS,
    round: async () => void (await runDue(db, LEASE, 0, sendWhileLeased)),
    failed: (error) => {
      if (!rounds.isStopping) observer.failed(error);
    },
  });
  const stop = async (): Promise<void> => {
    const stopped = rounds.stop();
    readSoon();
    const timer = setTimeout(() => ending.abort(new Error('The service is stopping.')), STOP_MS);
    await stopped;
    clearTimeout(timer);
  };
  return { start: rounds.start, stop };
};
