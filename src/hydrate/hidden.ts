import type { EntityKind, ReadContext } from '../cache/read-context.js';
import { selectAllHidden, selectHidden } from '../store/query/hidden.js';
import { audienceTags } from '../store/tag.js';
import type { Audience } from '../store/visibility.js';

/** With more hidden accounts than this, the accounts of each page are checked individually. */
const MAX_HIDDEN = 50_000;

/** All accounts hidden from an audience; `too many` if the set is too large for memory. */
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

/** @returns accounts hidden from the audience, at least those among these fids */
export const hydrateHidden = async (
  read: ReadContext,
  fids: readonly number[],
  audience: Audience,
): Promise<ReadonlySet<number>> => {
  if (fids.length === 0) return new Set();
  const hidden = (await read.get(hiddenAccounts, [audience])).get(audience);
  return hidden === undefined || hidden === 'too many' ? new Set(await selectHidden(read, fids, audience)) : hidden;
};
