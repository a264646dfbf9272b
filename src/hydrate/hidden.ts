import type { EntityKind } from '../cache/entity-kind.js';
import type { ReadContext } from '../cache/read-context.js';
import { audienceTags } from '../store/tag.js';
import type { Audience } from '../store/visibility.js';
import { selectAllHidden, selectHidden } from '../store/query/hidden.js';

/** An audience that hides more accounts is asked about the accounts of each page instead of all. */
const MAX_HIDDEN = 50_000;

/** Everybody who is not shown to an audience; `too many` to hold them all in memory. */
const hiddenAccounts: EntityKind<Audience, ReadonlySet<number> | 'too many'> = {
  keyOf: ({ appId, viewer }) => `hidden ${appId} ${viewer ?? ''}`,
  tagsOf: audienceTags,
  load: async ([audience], read) =>
    new Map(
      audience === undefined
        ? []
        : [[audience, { value: (await selectAllHidden(read, audience, MAX_HIDDEN)) ?? 'too many' }]],
    ),
};

/** @returns whom the audience does not get to see, at least among these fids */
export const hydrateHidden = async (
  read: ReadContext,
  fids: readonly number[],
  audience: Audience,
): Promise<ReadonlySet<number>> => {
  if (fids.length === 0) return new Set();
  const hidden = (await read.get(hiddenAccounts, [audience])).get(audience);
  return hidden === undefined || hidden === 'too many' ? new Set(await selectHidden(read, fids, audience)) : hidden;
};
