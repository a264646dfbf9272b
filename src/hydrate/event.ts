import type { ReadContext } from '../cache/read-context.js';
import type { CastEvent, SocialEvent } from '../protocol/event/social-event.js';
import { type CastRow, type CastSurroundings, selectCastSurroundings } from '../store/query/cast.js';
import { castByHash, hydrateUnstoredCasts } from './cast.js';
import { hydrateCasts, type Page } from './page.js';

/** Events are the same for all apps: none of them is hidden here. No app has this id. */
const EVERYBODY = { appId: '00000000-0000-0000-0000-000000000000', viewer: null } as const;

const isCastEvent = (event: SocialEvent): event is CastEvent =>
  event.type === 'cast.created' || event.type === 'cast.deleted';

const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);

const rowOf = (event: CastEvent, surroundings: CastSurroundings): CastRow => {
  const { fid, hash, ts, text, parentFid, parentHash, parentUrl } = event;
  return {
    ...surroundings,
    fid,
    ts,
    text,
    parent_fid: parentFid,
    parent_hash: parentHash,
    parent_url: parentUrl,
    root_hash: surroundings.root_hash ?? parentHash ?? hash,
    root_parent_url: surroundings.root_parent_url ?? parentUrl,
    mentions: orNull(event.mentions),
    mention_positions: orNull(event.mentionPositions),
    embeds: orNull(event.embeds),
  };
};

/** @returns rows of casts as their events say them, whether they are stored or not */
export const hydrateCastRows = async (read: ReadContext, events: readonly CastEvent[]): Promise<CastRow[]> => {
  if (events.length === 0) return [];
  const found = await selectCastSurroundings(read, events);
  const byHash = new Map(found.map((surroundings) => [surroundings.hash, surroundings]));
  return events.map((event) => rowOf(event, byHash.get(event.hash) as CastSurroundings));
};

/**
 * Everything that events show. A cast that is not stored, because it was removed since or by the event itself, is made
 * from the message in the event.
 */
export const hydrateEvents = async (read: ReadContext, events: readonly SocialEvent[]): Promise<Page> => {
  const hashes = new Set<string>();
  const users = new Set<number>();
  const accounts = new Set<number>();
  for (const event of events) {
    if (isCastEvent(event)) hashes.add(event.hash);
    else if ('targetHash' in event) {
      hashes.add(event.targetHash);
      users.add(event.fid);
    } else if ('targetFid' in event) users.add(event.fid).add(event.targetFid);
    else accounts.add(event.fid);
  }
  const stored = await read.get(castByHash, hashes);
  const missing = new Map(
    events.filter(isCastEvent).flatMap((event) => (stored.has(event.hash) ? [] : [[event.hash, event] as const])),
  );
  const unstored = await hydrateUnstoredCasts(read, await hydrateCastRows(read, [...missing.values()]));
  return hydrateCasts(read, hashes, {
    audience: EVERYBODY,
    accounts: [...accounts],
    dehydrated: users,
    unstored,
  });
};
