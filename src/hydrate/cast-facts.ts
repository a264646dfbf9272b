import type { ReadContext } from '../cache/read-context.js';
import { castText } from '../protocol/cast-text.js';
import type { CastEvent, SocialEvent } from '../protocol/event/social-event.js';
import { storable } from '../store/protocol/text.js';
import { selectRootParentUrls } from '../store/query/cast.js';
import { isCastEvent, isTradeEvent } from './event.js';
import { displayedUsername, type User, userByFid } from './user.js';

/** What filters ask about the cast of an event, or the trader of a trade, that the log does not say. */
export interface CastFacts {
  /** Text as `Cast.text` shows it, with the names of mentioned accounts; empty for a trade. */
  readonly text: string;
  /** The parent URL of the thread; null if it has none or if its root is unknown. */
  readonly rootParentUrl: string | null;
  /** Score of the author or trader, 0 to 1. */
  readonly authorScore: number;
}

/** Facts that some filter asks for. */
export interface CastFactNeeds {
  readonly score: boolean;
  readonly text: boolean;
  readonly rootParentUrl: boolean;
}

const textOf = ({ text, mentions, mentionPositions }: CastEvent, users: ReadonlyMap<number, User>): string => {
  const names = mentions.slice(0, mentionPositions.length).map((fid, index) => ({
    position: mentionPositions[index] as number,
    name: displayedUsername(users.get(fid)?.row ?? { username: null, fid }),
  }));
  return castText(storable(text), names).text;
};

const rootsOf = (read: ReadContext, casts: readonly CastEvent[]): Promise<Map<string, string | null>> =>
  // The message of a cast that is no reply says it.
  selectRootParentUrls(
    read,
    casts
      .filter(({ parentHash }) => parentHash !== null)
      .map(({ fid, hash, parentFid, parentHash }) => ({ fid, hash, parentFid, parentHash })),
  );

/**
 * Loads what the filters of webhooks and streams ask about casts and trades, in at most two statements.
 * @param needs what is not needed is not loaded: then `text` is that of the message, the URL null and the score 0
 * @returns facts in the order of the events; undefined for events of other kinds
 */
export const loadFacts = async (
  read: ReadContext,
  events: readonly SocialEvent[],
  needs: CastFactNeeds,
): Promise<(CastFacts | undefined)[]> => {
  const casts = events.filter(isCastEvent);
  const scored = needs.score ? [...casts, ...events.filter(isTradeEvent)].map(({ fid }) => fid) : [];
  const mentioned = needs.text ? casts.flatMap(({ mentions }) => mentions) : [];
  const [users, roots] = await Promise.all([
    read.get(userByFid, [...scored, ...mentioned]),
    needs.rootParentUrl ? rootsOf(read, casts) : new Map<string, string | null>(),
  ]);
  return events.map((event) => {
    const authorScore = needs.score ? (users.get(event.fid)?.row.score ?? 0) : 0;
    if (isTradeEvent(event)) return { text: '', rootParentUrl: null, authorScore };
    if (!isCastEvent(event)) return undefined;
    return {
      text: needs.text ? textOf(event, users) : event.text,
      rootParentUrl: needs.rootParentUrl ? (event.parentUrl ?? roots.get(event.hash) ?? null) : null,
      authorScore,
    };
  });
};
