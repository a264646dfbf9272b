import type { Database } from '../../db/database.js';
import { attemptDue } from '../../delivery/attempt-due.js';
import type { DeliveryMeter } from '../../delivery/meter.js';
import type { OutboundClient } from '../../delivery/outbound.js';
import { createOwnerLoop } from '../../delivery/owner-loop.js';
import { UNANNOUNCED_WORK_MS } from '../../duration.js';
import { type RunningCampaign, selectDueCampaigns, updateCampaignRunning } from '../../store/miniapp/campaign.js';
import { completeCampaign } from '../../store/miniapp/campaign-result.js';
import { type Batch, claimBatch, settleBatch } from './batch.js';
import { callHost } from './call.js';

/** How often recipients of a campaign are looked for that became due during its calls. */
const DUE_MS = 250;
const RETRY_MS = 1_000;
/** Concurrent calls of one campaign. */
const CONCURRENCY = 4;
/** Campaigns that are sent at once; further ones wait for their turn. */
const MAX_CAMPAIGNS = 16;

/** Sends campaigns to the hosts of their recipients. */
export type CampaignOutbox = ReturnType<typeof createCampaignOutbox>;

export const createCampaignOutbox = (dependencies: {
  readonly db: Database;
  readonly outbound: OutboundClient;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly meter: DeliveryMeter;
  /** Milliseconds between two looks for what is due and was not announced; ten seconds unless given. */
  readonly pollMs?: number | undefined;
  /** Milliseconds until a failed call is repeated; a second unless given. */
  readonly retryMs?: number | undefined;
  /** Called with internal errors, such as an unavailable database. */
  readonly failed: (error: unknown) => void;
}) => {
  const { db, outbound, clock, meter, failed, pollMs = UNANNOUNCED_WORK_MS, retryMs = RETRY_MS } = dependencies;

  const claim = async (campaign: RunningCampaign, limit: number): Promise<Batch[]> => {
    const batches: Batch[] = [];
    while (batches.length < limit) {
      const batch = await claimBatch(db, campaign, clock());
      if (batch === undefined) break;
      if (batch.recipients.length > 0) batches.push(batch);
    }
    return batches;
  };

  const send = async ({ id }: { readonly id: string }): Promise<void> => {
    const campaign = await updateCampaignRunning(db, id);
    if (campaign === undefined) return;
    await attemptDue({
      concurrency: CONCURRENCY,
      pollIntervalMs: DUE_MS,
      claim: (limit) => claim(campaign, limit),
      attempt: async (batch: Batch) => {
        const outcomes = await callHost({ outbound, meter, signal: rounds.signal }, campaign, batch);
        // An aborted call is due again when its lease ends.
        if (outcomes === undefined) return;
        await settleBatch(db, campaign, batch, outcomes, { now: clock(), retryMs });
        rounds.pollIn(retryMs);
      },
      failed,
      isStopping: () => rounds.isStopping,
    });
    // After the last outcome was committed here. Another process that still sends completes the campaign itself.
    await completeCampaign(db, id, new Date(clock()));
  };

  const rounds = createOwnerLoop({
    everyMs: pollMs,
    selectDue: async () => (await selectDueCampaigns(db, new Date(clock()))).map((id) => ({ id })),
    work: send,
    hasRoom: (_campaign, busy) => busy.length < MAX_CAMPAIGNS,
    failed,
  });
  const { begin, pollNow, start, stop } = rounds;

  return {
    /** Sends what is due of a campaign; resolves when no call is in progress here. */
    deliver: (id: string): Promise<void> => begin({ id }),
    pollNow,
    start,
    /** True once `stop` was called: campaigns go on after the next start. */
    get isStopping(): boolean {
      return rounds.isStopping;
    },
    stop,
  };
};
