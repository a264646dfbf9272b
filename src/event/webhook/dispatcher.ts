import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
import { createPollingLoop } from '../../delivery/polling-loop.js';
import { RETRY_WINDOW_MS } from '../../delivery/retry-delay.js';
import { UNANNOUNCED_WORK_MS } from '../../duration.js';
import {
  advanceCursor,
  deleteUserChanges,
  selectCursor,
  selectUserChanges,
  upsertUserChanges,
} from '../../store/event/cursor.js';
import { selectEventLog } from '../../store/hub/event.js';
import { runDue } from '../../store/job-run.js';
import { eventsOfLog } from '../log.js';
import { type MatchDependencies, matchEvents, renderMatches } from '../outgoing.js';
import { ActiveWebhooks } from './active-webhooks.js';
import { takeUserChanges, USER_CHANGE_MS, userUpdated } from './user-change.js';
import { writeDeliveries } from './write-deliveries.js';

/** Rows of the log that are handled in one transaction. */
const PAGE_ROWS = 1_000;
/** The shortest time between two reads of the log when no more events are waiting. */
const PAUSE_MS = 50;
/** How often it looks for profiles that have not changed for a while, as long as some have changed. */
const CHANGES_MS = 1_000;
/** How often a process that does not dispatch tries to take over. */
const TAKE_OVER_MS = 2_000;
/** The name of its lease among those of the jobs. */
const LEASE = 'dispatch-webhooks';

/**
 * One process at a time reads the log and writes a delivery for each event and each webhook that asks for it, in the
 * transaction that moves the cursor over the log: whatever happens, none is lost, and none is written twice.
 * It reads the log after each commit of this or another process.
 * @param dependencies `written` is called after deliveries were committed; `failed` receives errors, after which the
 *   same page is tried again
 */
export const createDispatcher = ({
  db,
  reads,
  search,
  clock,
  written,
  failed,
  pollMs = UNANNOUNCED_WORK_MS,
}: MatchDependencies & {
  readonly db: Database;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly written: () => void;
  readonly failed: (error: unknown) => void;
  /** Milliseconds between two reads of the log while nothing is committed; ten seconds unless given. */
  readonly pollMs?: number | undefined;
}) => {
  const active = new ActiveWebhooks(db);
  /** When all changes of profiles are due that were found here, in Unix milliseconds. */
  let changesDueBy = 0;

  /** @returns whether more may be waiting */
  const dispatchPage = async (): Promise<boolean> => {
    const from = await selectCursor(db);
    const rows = await selectEventLog(db, from, PAGE_ROWS);
    const now = new Date(clock());
    const due = await selectUserChanges(db, new Date(now.getTime() - USER_CHANGE_MS));
    if (rows.length === 0 && due.length === 0) return false;
    // After the log was read: a webhook that was stored before one of these events is known now.
    await active.refresh();
    const to = rows.at(-1)?.id ?? from;
    if (active.size === 0 && due.length === 0) {
      await advanceCursor(db, from, to);
      return rows.length === PAGE_ROWS;
    }
    const { others, changes } = takeUserChanges(await eventsOfLog(db, rows, reads.open().view.report));
    if (rows.length > 0) await reads.catchUp();
    const matches = await matchEvents({ reads, search }, active.matcher, [...others, ...due.map(userUpdated)]);
    const outgoing = await renderMatches(reads, matches);
    const isWritten = await db.transaction(async (session) => {
      // False: another process has taken over, and has written this page.
      if (!(await advanceCursor(session, from, to))) return false;
      const expiresAt = new Date(now.getTime() + RETRY_WINDOW_MS);
      await writeDeliveries(session, outgoing, { now, expiresAt, repeated: 'keep' });
      await deleteUserChanges(
        session,
        due.map(({ fid }) => fid),
      );
      await upsertUserChanges(session, changes);
      return true;
    });
    if (isWritten && outgoing.length > 0) written();
    if (changes.length > 0) changesDueBy = now.getTime() + USER_CHANGE_MS;
    return isWritten && rows.length === PAGE_ROWS;
  };

  /** Aborted when the log must be read again. */
  let committed = new AbortController();
  const readSoon = (): void => committed.abort();
  reads.onChange(readSoon);

  const dispatch = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && !rounds.isStopping) {
      committed = new AbortController();
      if (await dispatchPage()) continue;
      await wait(PAUSE_MS, undefined, { ref: false });
      const idleMs = changesDueBy + CHANGES_MS > clock() ? Math.min(CHANGES_MS, pollMs) : pollMs;
      await wait(idleMs, undefined, { ref: false, signal: committed.signal }).catch(() => undefined);
    }
  };
  const rounds = createPollingLoop({
    everyMs: TAKE_OVER_MS,
    round: async () => void (await runDue(db, LEASE, 0, dispatch)),
    failed,
  });
  // It stops after the page in progress.
  const stop = (): Promise<void> => {
    const stopped = rounds.stop();
    readSoon();
    return stopped;
  };
  return { start: rounds.start, stop };
};
