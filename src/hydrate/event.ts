import type { ReadContext, View } from '../cache/read-context.js';
import type {
  CastEvent,
  FollowEvent,
  ReactionEvent,
  SocialEvent,
  TradeEvent,
  UserEvent,
} from '../protocol/event/social-event.js';
import type { CastRowEmbed } from '../store/column-type.js';
import { storable } from '../store/protocol/text.js';
import { type CastRow, selectUnstoredCasts, type UnstoredCastRow } from '../store/query/cast.js';
import { type Cast, castByHash } from './cast.js';
import { hydrateCasts, hydrateUsers, type Page } from './page.js';

/** Everything that the bodies of a list of events show. */
export interface EventPage extends View {
  /** The casts of cast events, in full. */
  readonly casts: Page;
  /** The accounts of user events in full, and those of follows, reactions and trades by name and picture. */
  readonly users: Page;
  /** The casts of reactions, as far as they are stored, by hash. */
  readonly targets: ReadonlyMap<string, Cast>;
}

const nullIfEmpty = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);

const storableEmbed = (embed: CastRowEmbed): CastRowEmbed => ('url' in embed ? { url: storable(embed.url) } : embed);

/** The row that a cast of an event would have if it were stored, by the rules of src/ingest/kind/cast.ts. */
const castRow = (event: CastEvent, { rootHash, rootParentUrl, ...stored }: UnstoredCastRow): CastRow => {
  const parentUrl = event.parentUrl === null ? null : storable(event.parentUrl);
  return {
    ...stored,
    fid: event.fid,
    ts: event.ts,
    text: storable(event.text),
    parentFid: event.parentFid,
    parentHash: event.parentHash,
    parentUrl,
    rootHash: rootHash ?? event.parentHash ?? event.hash,
    rootParentUrl: rootParentUrl ?? parentUrl,
    mentions: nullIfEmpty(event.mentions),
    mentionPositions: nullIfEmpty(event.mentionPositions),
    embeds: nullIfEmpty(event.embeds.map(storableEmbed)),
  };
};

/** @returns rows of casts that are not stored, made from the messages of their events */
const rowsOf = async (
  read: ReadContext,
  events: ReadonlyMap<string, CastEvent>,
  hashes: readonly string[],
): Promise<CastRow[]> => {
  const wanted = hashes.map((hash) => events.get(hash) as CastEvent);
  const places = wanted.map(({ fid, hash, parentFid, parentHash, signer }) => {
    return { fid, hash, parentFid, parentHash, signer };
  });
  const rows = await selectUnstoredCasts(read, places);
  return rows.map((row) => castRow(events.get(row.hash) as CastEvent, row));
};

export const isCastEvent = (event: SocialEvent): event is CastEvent =>
  event.type === 'cast.created' || event.type === 'cast.deleted';
export const isUserEvent = (event: SocialEvent): event is UserEvent =>
  event.type === 'user.created' || event.type === 'user.updated';
const isFollowEvent = (event: SocialEvent): event is FollowEvent =>
  event.type === 'follow.created' || event.type === 'follow.deleted';
const isReactionEvent = (event: SocialEvent): event is ReactionEvent =>
  event.type === 'reaction.created' || event.type === 'reaction.deleted';
export const isTradeEvent = (event: SocialEvent): event is TradeEvent => event.type === 'trade.created';

/**
 * Loads what the bodies of these events show, in a fixed number of statements. A cast that was removed, by its event or
 * since, is made from its message. Nobody is hidden, because all apps get the same body.
 */
export const hydrateEvents = async (read: ReadContext, events: readonly SocialEvent[]): Promise<EventPage> => {
  const casts = new Map(events.filter(isCastEvent).map((event) => [event.hash, event]));
  const fids = events.filter(isUserEvent).map(({ fid }) => fid);
  const reactions = events.filter(isReactionEvent);
  const [castPage, targets] = await Promise.all([
    hydrateCasts(read, casts.keys(), { audience: null, unstored: (hashes) => rowsOf(read, casts, hashes) }),
    read.get(
      castByHash,
      reactions.map(({ targetHash }) => targetHash),
    ),
  ]);
  const dehydrated = new Set([
    ...events.filter(isFollowEvent).flatMap(({ fid, targetFid }) => [fid, targetFid]),
    ...[...reactions, ...events.filter(isTradeEvent)].map(({ fid }) => fid),
    ...[...targets.values()].flatMap(({ row }) => (row.appFid === null ? [row.fid] : [row.fid, row.appFid])),
  ]);
  const users = await hydrateUsers(read, fids, { listed: fids, dehydrated });
  return { ...read.view, casts: castPage, users, targets };
};
