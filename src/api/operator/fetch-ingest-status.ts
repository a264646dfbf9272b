import { MINUTE_MS } from '../../duration.js';
import { IngestStatusResponse } from '../../schema/operator/ingest.js';
import { selectEventsByMinute } from '../../store/event-rate.js';
import { operation } from '../http/operation.js';

const MINUTES = 60;

/** A hub whose clock is ahead is not behind. */
const wholeSeconds = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.max(0, Math.round(seconds));

export const fetchIngestStatus = operation({
  id: 'fetch-ingest-status',
  path: '/operator/ingest',
  tags: ['operator'],
  title: 'Get the status of ingest',
  summary:
    'Read how far the store is behind each shard of the hub, how much of its history was read, and how much was stored in each minute of the last hour.',
  cost: { fixed: 0 },
  scope: 'operator',
  response: IngestStatusResponse,
  errors: [403],
  handle: async (_request, { db, clock, hub }) => {
    const now = clock();
    const running = now - (now % MINUTE_MS);
    const rows = await selectEventsByMinute(db, new Date(running - (MINUTES - 1) * MINUTE_MS), new Date(running));
    const state = hub.state();
    return {
      hub: state
        ? {
            is_connected: state.connected,
            lag_seconds: wholeSeconds(state.lagSeconds),
            sync: state.backfill
              ? {
                  accounts_done: state.backfill.done,
                  accounts_total: state.backfill.total,
                  seconds_left: state.backfill.secondsLeft,
                }
              : null,
            streams: state.streams.map(({ shard, connected, lagSeconds, lastEventAt }) => ({
              shard,
              is_connected: connected,
              lag_seconds: wholeSeconds(lagSeconds),
              last_event_at: lastEventAt === undefined ? null : new Date(lastEventAt).toISOString(),
            })),
          }
        : null,
      minutes: rows.map(({ minute, events }) => ({ at: minute.toISOString(), events })),
    };
  },
});
