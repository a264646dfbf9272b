import type { Database } from '../db/database.js';
import { fromUnixMs } from '../protocol/time.js';
import type { Invalidation } from '../store/change.js';
import { deleteActivityBefore, insertActivity } from '../store/channel/activity.js';
import { taggedTransaction } from '../store/invalidating-transaction.js';
import { CHANNEL_LIST } from '../store/tag.js';
import { TRUSTED_SCORE } from '../store/trusted-score.js';

/** Casts that count of one author on one day in one channel, so that nobody lifts a channel alone. */
const CASTS_PER_DAY = 20;
/** How long an earlier count remains for those who read its next page. */
const KEPT_MS = 60 * 60_000;

/**
 * Counts the casts in all channels over the last day, week and 30 days, for the list of trending channels.
 * @param options `now` in Unix milliseconds; `changed` invalidates the caches of this process
 */
export const countChannelActivity = async (options: {
  readonly db: Database;
  readonly now: number;
  readonly changed: (invalidation: Invalidation) => void;
}): Promise<void> => {
  const { db, now, changed } = options;
  await taggedTransaction({ db, changed }, async (session, tags) => {
    const at = { time: new Date(now), ts: fromUnixMs(now) };
    await insertActivity(session, at, { score: TRUSTED_SCORE, casts: CASTS_PER_DAY });
    tags.add(CHANNEL_LIST);
  });
  await deleteActivityBefore(db, new Date(now - KEPT_MS));
};
