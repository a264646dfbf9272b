import type { ReadContext } from '../cache/read-context.js';
import { castByHash } from '../hydrate/cast.js';
import { hydrateCastRows } from '../hydrate/event.js';
import { userByFid } from '../hydrate/user.js';
import type { CastEvent, SocialEvent } from '../protocol/event/social-event.js';
import { castText } from '../view/cast-text.js';
import { viewUsername } from '../view/user-dehydrated.js';

/** What filters ask about the cast of an event that is not in its message. */
export interface CastFacts {
  /** Text as `Cast.text` shows it, with the names of mentioned accounts. */
  readonly text: string;
  /** The parent URL of the thread; null if it has none or if its root is unknown. */
  readonly rootParentUrl: string | null;
  /** Score of the author, 0 to 1. */
  readonly authorScore: number;
}

/** Which facts some filter asks for; the others are not loaded. */
export interface NeededFacts {
  readonly text: boolean;
  readonly rootParentUrl: boolean;
  readonly score: boolean;
}

const loadRoots = async (read: ReadContext, casts: readonly CastEvent[]): Promise<Map<string, string | null>> => {
  const stored = await read.get(
    castByHash,
    casts.map(({ hash }) => hash),
  );
  const missing = await hydrateCastRows(
    read,
    casts.filter(({ hash }) => !stored.has(hash)),
  );
  const rows = [...missing, ...[...stored.values()].map(({ row }) => row)];
  return new Map(rows.map((row) => [row.hash, row.root_parent_url]));
};

/** @returns one for each event: undefined for those that are not about a cast */
export const loadCastFacts = async (
  read: ReadContext,
  events: readonly SocialEvent[],
  needs: NeededFacts,
): Promise<(CastFacts | undefined)[]> => {
  const casts = events.filter(
    (event): event is CastEvent => event.type === 'cast.created' || event.type === 'cast.deleted',
  );
  if (casts.length === 0) return events.map(() => undefined);
  const fids = casts.flatMap(({ fid, mentions }) => [...(needs.score ? [fid] : []), ...(needs.text ? mentions : [])]);
  const [users, roots] = await Promise.all([
    read.get(userByFid, fids),
    needs.rootParentUrl ? loadRoots(read, casts) : new Map<string, string | null>(),
  ]);
  const textOf = ({ text, mentions, mentionPositions }: CastEvent): string => {
    const named = mentions.slice(0, mentionPositions.length).map((fid, index) => ({
      position: mentionPositions[index] as number,
      name: viewUsername(users.get(fid)?.row ?? { username: null, fid }),
    }));
    return needs.text && named.length > 0 ? castText(text, named).text : text;
  };
  return events.map((event) => {
    if (event.type !== 'cast.created' && event.type !== 'cast.deleted') return undefined;
    return {
      text: textOf(event),
      rootParentUrl: roots.get(event.hash) ?? null,
      authorScore: users.get(event.fid)?.row.score ?? 0,
    };
  });
};
