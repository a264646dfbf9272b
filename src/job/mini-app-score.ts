import type { Database } from '../db/database.js';
import { DAY_SECONDS } from '../duration.js';
import { fromUnixMs } from '../protocol/time.js';
import { deleteScoresBefore, insertScores } from '../store/miniapp/catalog-score.js';
import { TRUSTED_SCORE } from '../store/trusted-score.js';

/** A share counts for a week, and its weight halves every two days. */
const SHARE_SECONDS = 7 * DAY_SECONDS;
const HALF_LIFE_SECONDS = 2 * DAY_SECONDS;
/** A day longer than shares count, so that a client can read the further pages of a list. */
const STORED_MS = 8 * DAY_SECONDS * 1000;

/**
 * Counts how much each listed mini app is shared and added, for the order of the catalog (docs/ranking.md).
 * @param now Unix milliseconds
 */
export const scoreMiniApps = async (db: Database, now: number): Promise<void> => {
  const rule = { score: TRUSTED_SCORE, seconds: SHARE_SECONDS, halfLife: HALF_LIFE_SECONDS };
  await insertScores(db, { time: new Date(now), ts: fromUnixMs(now) }, rule);
  await deleteScoresBefore(db, new Date(now - STORED_MS));
};
