import type { Database } from '../store/database.js';
import { audienceSources } from '../store/list-source.js';
import type { Audience } from '../store/visibility.js';
import { selectHasBan, selectHidden } from '../store/visibility-read.js';
import { FactCache } from './fact-cache.js';
import type { Freshness } from './freshness.js';

/** Finds out which accounts an audience does not get to see. */
export interface HiddenReader {
  /**
   * Adds those of `fids` that are hidden to `into`, by two queries at most.
   * @returns undefined when it is known already whom the audience sees.
   */
  read(fids: readonly number[], audience: Audience, into: Set<number>): Promise<void> | undefined;
}

/** Stands for all accounts where it is asked whether an app has bans at all. */
const ANYBODY = 0;

/** @param bytes bound of what is kept, as for `FactCache` */
export const createHiddenReader = (db: Database, freshness: Freshness, bytes: number): HiddenReader => {
  /** By audience: whether an account is hidden. Most apps ban nobody: that is asked first where no viewer is named. */
  const cache = new FactCache<number, boolean>(freshness, bytes);

  const facts = (fids: readonly number[], audience: Audience) =>
    cache.read(
      { key: `${audience.appId} ${audience.viewer ?? ''}`, sources: new Set(audienceSources(audience)) },
      fids,
      async (unknown) => {
        const hidden = new Set(await selectHidden(db, unknown, audience));
        return new Map(unknown.map((fid) => [fid, hidden.has(fid)]));
      },
    );

  const hasBan = (audience: Audience) =>
    cache.read({ key: audience.appId, sources: new Set(audienceSources(audience)) }, [ANYBODY], async () => {
      return new Map([[ANYBODY, await selectHasBan(db, audience.appId)]]);
    });

  /** @param known whether the app has bans, where that decides */
  const load = async (
    fids: readonly number[],
    audience: Audience,
    known: ReturnType<typeof hasBan> | undefined,
    into: Set<number>,
  ): Promise<void> => {
    if ((await known)?.get(ANYBODY) === false) return;
    const found = await facts(fids, audience);
    for (const fid of fids) if (found.get(fid)) into.add(fid);
  };

  return {
    read: (fids, audience, into) => {
      if (fids.length === 0) return undefined;
      // Asked once: a second promise that nobody waits for would end the process when the database is away.
      const known = audience.viewer === null ? hasBan(audience) : undefined;
      if (known !== undefined && !(known instanceof Promise) && known.get(ANYBODY) === false) return undefined;
      return load(fids, audience, known, into);
    },
  };
};
