import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { DAY_MS } from '../../duration.js';
import type { RunningCampaign } from '../../store/miniapp/campaign.js';
import {
  type DueRecipient,
  type RecipientOutcome,
  selectDueRecipients,
  selectRecentUse,
  settleRecipients,
  updateRecipientsSent,
} from '../../store/miniapp/campaign-recipient.js';
import { invalidateClientTokens } from '../../store/miniapp/client-token.js';
import { CALL_MS, MAX_TOKENS } from './call.js';

/** Limits of hosts for a token (Mini App specification, "Sending notifications"): one in 30 s, 100 in a day. */
const PAUSE_MS = 30_000;
const MAX_PER_DAY = 100;

/** Longer than a call: what is not settled by then belongs to a process that crashed. */
const LEASE_MS = CALL_MS + 5_000;
/** Calls with the same recipient: the first, and one more if it failed. */
const MAX_CALLS = 2;

/** Recipients of one call. */
export interface Batch {
  readonly clientFid: number;
  readonly url: string;
  readonly recipients: readonly DueRecipient[];
}

/**
 * A repeated call is not limited: the host recognizes the notificationId.
 * @returns accounts whose host would reject another notification now
 */
const selectLimitedFids = async (
  session: Session,
  campaign: RunningCampaign,
  due: readonly DueRecipient[],
  now: number,
): Promise<Set<number>> => {
  const fids = due.filter(({ failures }) => failures === 0).map(({ fid }) => fid);
  const clientFid = (due[0] as DueRecipient).clientFid;
  const used = await selectRecentUse(session, campaign, { fids, clientFid, since: new Date(now - DAY_MS) });
  const limited = used.filter(({ lastAt, count }) => lastAt.getTime() > now - PAUSE_MS || count >= MAX_PER_DAY);
  return new Set(limited.map(({ fid }) => fid));
};

/**
 * Reserves the recipients of the next call. Those that are not sent to are settled at once: tokens that were disabled
 * meanwhile, and those that the host would reject, because they were sent a notification a moment ago.
 * @returns undefined if nothing is due; a batch may be without recipients
 */
export const claimBatch = (db: Database, campaign: RunningCampaign, now: number): Promise<Batch | undefined> =>
  db.transaction(async (session) => {
    const at = { now: new Date(now), until: new Date(now + LEASE_MS) };
    const found = await selectDueRecipients(session, campaign.id, { now: at.now, limit: MAX_TOKENS });
    const [first] = found;
    if (!first) return undefined;
    const { clientFid, url } = first;
    // A host with several addresses is rare: its other tokens have their turn in a later call.
    const due = found.filter((recipient) => recipient.url === url);
    const limited = await selectLimitedFids(session, campaign, due, now);
    const outcomes = due.flatMap(({ fid, isEnabled }): RecipientOutcome[] => {
      if (!isEnabled) return [{ fid, state: 'disabled' }];
      return limited.has(fid) ? [{ fid, state: 'rate_limited' }] : [];
    });
    if (outcomes.length > 0) {
      await settleRecipients(session, campaign.id, clientFid, outcomes, { now: at.now, nextAt: at.now });
    }
    const recipients = due.filter(({ fid, isEnabled }) => isEnabled && !limited.has(fid));
    const fids = recipients.map(({ fid }) => fid);
    if (fids.length > 0) await updateRecipientsSent(session, campaign.id, { clientFid, fids }, at);
    return { clientFid, url, recipients };
  });

/**
 * Stores the outcomes of a call. A failed call is due once more; tokens that the host rejected become invalid.
 * @param options `now` in Unix milliseconds; `retryMs` until the failed call is due
 */
export const settleBatch = (
  db: Database,
  { id, appId }: RunningCampaign,
  { clientFid, recipients }: Batch,
  outcomes: readonly RecipientOutcome[],
  { now, retryMs }: { readonly now: number; readonly retryMs: number },
): Promise<void> => {
  const byFid = new Map(recipients.map((recipient) => [recipient.fid, recipient]));
  const settled = outcomes.map((outcome): RecipientOutcome => {
    const failures = byFid.get(outcome.fid)?.failures ?? 0;
    return outcome.state === 'http_error' && failures + 1 < MAX_CALLS ? { ...outcome, state: 'pending' } : outcome;
  });
  const rejected = settled.filter(({ state }) => state === 'invalid').flatMap(({ fid }) => byFid.get(fid) ?? []);
  return db.transaction(async (session) => {
    const times = { now: new Date(now), nextAt: new Date(now + retryMs) };
    await settleRecipients(session, id, clientFid, settled, times);
    if (rejected.length > 0) await invalidateClientTokens(session, { appId, clientFid }, rejected, times.now);
  });
};
