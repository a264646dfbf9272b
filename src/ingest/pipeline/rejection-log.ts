import type { Logger } from 'pino';
import type { IngestReport, Source } from '../ingest-outcome.js';

const LOG_INTERVAL_MS = 60_000;

/**
 * Logs what is rejected of what a hub sends, at most once a minute: unlike a submission or an import, it has no caller
 * who gets the reasons, and it is not kept.
 * @returns the listener of submissions
 */
export const createRejectionLog = (log: Logger | undefined): ((source: Source, report: IngestReport) => void) => {
  const counts: Record<string, number> = {};
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (source, { invalid, outcomes }) => {
    if (source !== 'hub' && source !== 'backfill') return;
    for (const [reason, count] of Object.entries(invalid)) counts[reason] = (counts[reason] ?? 0) + count;
    const last = outcomes.findLast((outcome) => outcome.status === 'invalid');
    const now = performance.now();
    if (last === undefined || now - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = now;
    log?.warn(
      { rejected: { ...counts }, last: last.detail },
      'messages that the hub sent are invalid here and left out',
    );
    for (const reason of Object.keys(counts)) delete counts[reason];
  };
};
