import { MessageData, MessageType, ReactionType } from '@farcaster/core';
import type { Database } from '../../src/db/database.js';

/** The ranked feeds as docs/ranking.md describes them, computed anew from the signed messages that are stored. */

/** Protocol seconds; `hash` is hex without 0x. */
interface ModelCast {
  readonly fid: number;
  readonly hash: string;
  readonly ts: number;
  readonly parentUrl: string | undefined;
  /** Hash of the cast that it replies to. */
  readonly parent: string | undefined;
}

interface Action {
  readonly fid: number;
  readonly ts: number;
  /** Hash of the cast that is liked, recasted or replied to. */
  readonly target: string;
}

interface Follow {
  readonly fid: number;
  readonly target: number;
  readonly ts: number;
  readonly hash: string;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const newestFirst = (a: { readonly ts: number; readonly hash: string }, b: typeof a): number =>
  b.ts - a.ts || (a.hash < b.hash ? 1 : -1);

/** @returns what the stored messages say, and the accounts whose reactions count */
const readNetwork = async (db: Database) => {
  const rows = await db.run<{ data: Uint8Array; hash: string }>(
    `select data, encode(hash, 'hex') as hash from message where not void`,
  );
  const casts: ModelCast[] = [];
  const [likes, recasts]: [Action[], Action[]] = [[], []];
  const follows: Follow[] = [];
  for (const { data, hash } of rows) {
    const { fid, timestamp: ts, type, ...body } = MessageData.decode(data);
    if (type === MessageType.CAST_ADD) {
      const parent = body.castAddBody?.parentCastId;
      casts.push({ fid, hash, ts, parentUrl: body.castAddBody?.parentUrl, parent: parent && hex(parent.hash) });
    } else if (type === MessageType.REACTION_ADD && body.reactionBody?.targetCastId) {
      const kind = body.reactionBody.type === ReactionType.LIKE ? likes : recasts;
      kind.push({ fid, ts, target: hex(body.reactionBody.targetCastId.hash) });
    } else if (type === MessageType.LINK_ADD && body.linkBody?.type === 'follow') {
      follows.push({ fid, ts, hash, target: body.linkBody.targetFid as number });
    }
  }
  const replies = casts.flatMap(({ fid, ts, parent }) => (parent === undefined ? [] : [{ fid, ts, target: parent }]));
  const scores = await db.run<{ fid: number; score: number }>('select fid, score from account');
  const trusted = new Set(scores.filter(({ score }) => score >= 0.1).map(({ fid }) => fid));
  return { casts, likes, recasts, replies, follows, counts: (fid: number) => trusted.size === 0 || trusted.has(fid) };
};

type ModelNetwork = Awaited<ReturnType<typeof readNetwork>>;

const pointsOf = ({ likes, recasts, replies, counts }: ModelNetwork, cast: ModelCast, horizon: number): number => {
  const accounts = (actions: readonly Action[]): number =>
    new Set(
      actions
        .filter(({ target, ts, fid }) => target === cast.hash && ts <= horizon && fid !== cast.fid && counts(fid))
        .map(({ fid }) => fid),
    ).size;
  return accounts(likes) + 2 * accounts(recasts) + 2 * accounts(replies);
};

const ranked = (rows: readonly (readonly [ModelCast, number])[]): string[] =>
  rows
    .filter(([, score]) => score > 0)
    .sort(([a, one], [b, two]) => two - one || newestFirst(a, b))
    .map(([{ hash }]) => `0x${hash}`);

/** @returns hashes with 0x. @param urls keeps the casts under these */
export const trendingModel = async (
  db: Database,
  { horizon, seconds, urls }: { horizon: number; seconds: number; urls?: readonly string[] },
): Promise<string[]> => {
  const network = await readNetwork(db);
  const start = horizon - seconds;
  return ranked(
    network.casts
      .filter(({ ts, parent }) => parent === undefined && ts > start && ts <= horizon)
      .filter(({ parentUrl }) => urls === undefined || (parentUrl !== undefined && urls.includes(parentUrl)))
      .map((cast) => [cast, pointsOf(network, cast, horizon) * (cast.ts - start) ** 2] as const),
  );
};

/** @param spellings for each channel that the account follows, its URLs */
export const forYouModel = async (
  db: Database,
  { fid, horizon, spellings }: { fid: number; horizon: number; spellings: readonly string[] },
): Promise<string[]> => {
  const network = await readNetwork(db);
  const start = horizon - 7 * 86_400;
  const followsOf = (one: number): number[] =>
    network.follows
      .filter((follow) => follow.fid === one && follow.ts <= horizon)
      .sort(newestFirst)
      .map(({ target }) => target);
  const own = followsOf(fid).filter((target) => target !== fid);
  const closeness = new Map<number, number>();
  for (const target of own.slice(0, 100).flatMap((one) => followsOf(one).slice(0, 100)))
    if (target !== fid && !own.includes(target)) closeness.set(target, (closeness.get(target) ?? 0) + 1);
  for (const [target, follows] of closeness) closeness.set(target, follows > 1 ? Math.min(follows, 3) : 0);
  for (const target of own) closeness.set(target, 4);

  const newest = (isIn: (cast: ModelCast) => boolean, most: number) =>
    network.casts
      .filter((cast) => cast.ts <= horizon && isIn(cast))
      .sort(newestFirst)
      .slice(0, most);
  const rootUrl = ({ parent, parentUrl }: ModelCast): string | undefined => {
    if (parent === undefined) return parentUrl;
    const above = network.casts.find(({ hash }) => hash === parent);
    return above && rootUrl(above);
  };
  const ofAuthors = [...closeness].filter(([, value]) => value > 0);
  const byAuthor = new Set(ofAuthors.flatMap(([one]) => newest((cast) => cast.fid === one, 10)));
  const inChannel = new Set(spellings.flatMap((url) => newest((cast) => rootUrl(cast) === url, 20)));
  return ranked(
    [...new Set([...byAuthor, ...inChannel])]
      .filter(({ fid: author, parent, ts }) => author !== fid && parent === undefined && ts > start)
      .map((cast) => {
        const close = (byAuthor.has(cast) ? (closeness.get(cast.fid) ?? 0) : 0) + (inChannel.has(cast) ? 2 : 0);
        const popularity = Math.floor(10 * Math.sqrt(1 + pointsOf(network, cast, horizon)));
        return [cast, close * popularity * (cast.ts - start) ** 2] as const;
      }),
  );
};
