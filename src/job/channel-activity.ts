import { fromUnixMs } from '../protocol/time.js';
import { deleteActivityBefore, insertActivity } from '../store/channel/activity.js';
import { type InvalidatingWriter, taggedTransaction } from '../store/invalidating-transaction.js';
import { CHANNEL_LIST } from '../store/tag.js';
import { TRUSTED_SCORE } from '../store/trusted-score.js';

/** Casts that count of one author on one day in one channel, so that no account alone makes a channel trend. */
const CASTS_PER_DAY = 20;
/** How long an earlier count is kept for clients that still read its further pages. */
const KEPT_MS = 60 * 60_000;

/**
 * Counts the casts in all channels over the last day, week and 30 days, for the list of trending channels.
 * @param options `now` in Unix milliseconds
 */
export const countChannelActivity = async (options: InvalidatingWriter & { readonly now: number }): Promise<void> => {
  const { db, now } = options;
  await taggedTransaction(options, async (session, tags) => {
    const at = { time: new Date(now), ts: fromUnixMs(now) };
    await insertActivity(session, at, { score: TRUSTED_SCORE, casts: CASTS_PER_DAY });
    tags.add(CHANNEL_LIST);
  });
  await deleteActivityBefore(db, new Date(now - KEPT_MS));
};
