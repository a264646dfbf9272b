import type { Database } from '../store/database.js';
import type { Audience } from '../store/visibility.js';
import { selectHidden } from '../store/visibility-read.js';
import type { Freshness } from './freshness.js';

/** How long it is believed that an app has no bans; the promise for all answers is 1 s. */
const BELIEF_MS = 750;

/** Finds out which accounts an audience does not get to see. */
export interface HiddenReader {
  /**
   * Adds those of `fids` that are hidden to `into`, by one query.
   * @returns undefined when nobody can be hidden: no viewer is named and the app has no bans, as was seen just now.
   */
  read(fids: readonly number[], audience: Audience, into: Set<number>): Promise<void> | undefined;
}

/** Every change that is heard of ends the belief, so that who bans and reports it sees it at once. */
export const createHiddenReader = (db: Database, freshness: Freshness): HiddenReader => {
  /** Monotonic milliseconds at which the question began that found an app without bans. */
  const harmless = new Map<string, number>();
  let changes = 0;
  freshness.subscribe(() => {
    harmless.clear();
    changes++;
  });

  const load = async (fids: readonly number[], audience: Audience, into: Set<number>): Promise<void> => {
    const [began, before] = [performance.now(), changes];
    const found = await selectHidden(db, fids, audience);
    for (const fid of found.fids ?? []) into.add(fid);
    if (!found.has_ban && changes === before) harmless.set(audience.appId, began);
  };

  return {
    read: (fids, audience, into) => {
      if (fids.length === 0) return undefined;
      const since = harmless.get(audience.appId);
      if (audience.viewer === null && since !== undefined && performance.now() - since < BELIEF_MS) return undefined;
      return load(fids, audience, into);
    },
  };
};
