import { DAY_MS, HOUR_MS, MINUTE_MS } from '../duration.js';
import { deleteEndedRateLimits } from '../store/access/rate-limit.js';
import { deleteOldRequests } from '../store/access/request-log.js';
import { deleteOldUsageFlushes } from '../store/billing/usage.js';
import { deleteOldChanges } from '../store/change-read.js';
import { deleteConversationSummariesBefore } from '../store/conversation-summary.js';
import { deleteOldIdempotentWrites } from '../store/idempotent-write.js';
import type { InvalidatingWriter } from '../store/invalidating-transaction.js';
import { deleteOldCampaignRecipients } from '../store/miniapp/campaign.js';
import { deleteEndedHostDeliveries } from '../store/miniapp/delivery.js';
import { deleteOldHostNotifications } from '../store/miniapp/notification.js';
import { deleteUndeliverableHostPushes } from '../store/miniapp/push.js';
import { deleteExpiredHostTokens } from '../store/miniapp/token.js';
import { BALANCE_LIST_MS, deleteOldBalanceLists } from '../store/onchain/balance-list.js';
import { deleteOldTransferSearches } from '../store/onchain/transfer-search.js';
import { deleteOldX402Authorizations } from '../store/onchain/x402-authorization.js';
import { deleteOldX402SignIns } from '../store/onchain/x402-sign-in.js';
import { countChannelActivity } from './channel-activity.js';
import { deleteOldEventData, type EventRetention } from './event-retention.js';
import { scoreMiniApps } from './mini-app-score.js';
import type { Job } from './schedule.js';
import { scoreAccounts } from './score.js';

/** How long an idempotency key identifies its request. */
const IDEMPOTENCY_MS = 24 * 60 * MINUTE_MS;

/** How long a summary by the language model is served without asking it again. */
const SUMMARY_MS = 7 * DAY_MS;
/**
 * How long a host app lists notifications, failed deliveries can be tried again, and recipients of completed campaigns
 * are stored.
 */
const HOST_RETENTION_MS = 30 * DAY_MS;
/** How long a process may fail to write a batch of usage: after that, a repeated batch would count twice. */
const USAGE_FLUSH_MS = 7 * DAY_MS;
/** How long the tokens of a wallet are stored after the last request for them. */
const WALLET_RETENTION_MS = 90 * DAY_MS;
/** How long what wallets signed for x402 is stored. Payments expire within an hour, and count for the limit of a day. */
const SIGNATURE_RETENTION_MS = 90 * DAY_MS;

/** Requests that the log keeps, of all organizations; about 30 MB. */
const MAX_LOGGED_REQUESTS = 100_000;

/** The scheduled jobs of the service. */
export const jobList = (
  parts: InvalidatingWriter & {
    /** Unix milliseconds. */
    readonly clock: () => number;
    readonly retention: EventRetention;
    /** Reads messages about channels that an earlier version stored unread. */
    readonly readStoredChannels: (signal: AbortSignal) => Promise<void>;
  },
): readonly Job[] => [
  {
    name: 'score',
    everyMs: 60 * MINUTE_MS,
    run: async (signal) => {
      await scoreAccounts({ db: parts.db, now: parts.clock(), changed: parts.changed, signal });
    },
  },
  {
    name: 'count-channels',
    everyMs: 10 * MINUTE_MS,
    run: () => countChannelActivity({ db: parts.db, now: parts.clock(), changed: parts.changed }),
  },
  { name: 'score-mini-apps', everyMs: 60 * MINUTE_MS, run: () => scoreMiniApps(parts.db, parts.clock()) },
  // What autovacuum does on a server.
  { name: 'vacuum', everyMs: 60 * MINUTE_MS, isUpkeep: true, run: () => parts.db.vacuum() },
  { name: 'analyze', everyMs: MINUTE_MS, isUpkeep: true, run: () => parts.db.analyze() },
  {
    name: 'forget-changes',
    everyMs: 10 * MINUTE_MS,
    isUpkeep: true,
    run: async () => {
      await deleteOldChanges(parts.db);
    },
  },
  {
    name: 'forget-idempotent-writes',
    everyMs: 60 * MINUTE_MS,
    isUpkeep: true,
    run: () => deleteOldIdempotentWrites(parts.db, new Date(parts.clock() - IDEMPOTENCY_MS)),
  },
  {
    name: 'forget-host-events',
    everyMs: 60 * MINUTE_MS,
    isUpkeep: true,
    run: async () => {
      const now = parts.clock();
      await deleteExpiredHostTokens(parts.db, new Date(now));
      const before = { delivered: new Date(now - DAY_MS), dead: new Date(now - HOST_RETENTION_MS) };
      await deleteEndedHostDeliveries(parts.db, before);
      await deleteUndeliverableHostPushes(parts.db, new Date(now - HOST_RETENTION_MS));
      await deleteOldHostNotifications(parts.db, new Date(now - HOST_RETENTION_MS));
      await deleteOldCampaignRecipients(parts.db, new Date(now - HOST_RETENTION_MS));
    },
  },
  {
    name: 'forget-events',
    everyMs: 10 * MINUTE_MS,
    isUpkeep: true,
    run: (signal) => deleteOldEventData(parts.db, { retention: parts.retention, now: parts.clock(), signal }),
  },
  {
    name: 'forget-summaries',
    everyMs: 60 * MINUTE_MS,
    isUpkeep: true,
    run: () => deleteConversationSummariesBefore(parts.db, new Date(parts.clock() - SUMMARY_MS)),
  },
  {
    name: 'forget-rate-limits',
    everyMs: MINUTE_MS,
    isUpkeep: true,
    run: () => deleteEndedRateLimits(parts.db, new Date(parts.clock() - MINUTE_MS)),
  },
  {
    name: 'forget-requests',
    everyMs: MINUTE_MS,
    isUpkeep: true,
    run: () => deleteOldRequests(parts.db, new Date(parts.clock() - HOUR_MS), MAX_LOGGED_REQUESTS),
  },
  {
    name: 'forget-usage-flushes',
    everyMs: 60 * MINUTE_MS,
    isUpkeep: true,
    run: () => deleteOldUsageFlushes(parts.db, new Date(parts.clock() - USAGE_FLUSH_MS)),
  },
  // At the start after an upgrade, and rarely afterwards: without unread messages it is two short queries.
  { name: 'read-stored-channels', everyMs: 10 * MINUTE_MS, run: parts.readStoredChannels },
  {
    name: 'forget-signatures',
    everyMs: 60 * MINUTE_MS,
    isUpkeep: true,
    run: async () => {
      const before = new Date(parts.clock() - SIGNATURE_RETENTION_MS);
      await deleteOldX402Authorizations(parts.db, before);
      await deleteOldX402SignIns(parts.db, before);
    },
  },
  {
    name: 'forget-balances',
    everyMs: 10 * MINUTE_MS,
    isUpkeep: true,
    run: async () => {
      await deleteOldBalanceLists(parts.db, new Date(parts.clock() - BALANCE_LIST_MS));
      await deleteOldTransferSearches(parts.db, new Date(parts.clock() - WALLET_RETENTION_MS));
    },
  },
];
