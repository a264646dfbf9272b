import { type Embed, MessageType } from '@farcaster/core';
import { urlDigest } from '../protocol/url-digest.js';
import {
  type CastId,
  type CastRoot,
  type CastRow,
  type CastRows,
  cutCastRoots,
  deleteCasts,
  insertCasts,
  selectCastRoots,
  updateCastRoots,
} from '../store/cast.js';
import type { Session } from '../store/database.js';
import { storable } from '../store/text.js';
import type { Effect } from './effect.js';
import { decodedOf, type Held } from './held.js';
import type { Transition } from './merge.js';

const name = ({ fid, hash }: CastId): string => `${fid}:${Buffer.from(hash).toString('latin1')}`;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

type Unrooted = Omit<CastRow, keyof CastRoot>;

const embedOf = (embed: Embed): CastRow['embeds'] => {
  if (embed.castId) return [{ fid: embed.castId.fid, hash: hex(embed.castId.hash) }];
  return embed.url === undefined ? [] : [{ url: storable(embed.url) }];
};

const castRow = (held: Held): Unrooted => {
  const body = decodedOf(held).data.castAddBody;
  return {
    fid: held.fid,
    hash: held.hash,
    ts: held.ts,
    type: body?.type ?? 0,
    text: storable(body?.text ?? ''),
    parent_fid: body?.parentCastId?.fid ?? null,
    parent_hash: body?.parentCastId?.hash ?? null,
    parent_url: body?.parentUrl === undefined ? null : storable(body.parentUrl),
    mentions: body?.mentions ?? [],
    mention_positions: body?.mentionsPositions ?? [],
    embeds: [
      ...(body?.embedsDeprecated ?? []).map((url) => ({ url: storable(url) })),
      ...(body?.embeds ?? []).flatMap(embedOf),
    ],
    signer: held.signer,
  };
};

/** The rows by which others find these casts: replies by parent, mentions by account, quotes by quoted cast. */
const references = (casts: readonly Unrooted[]): Omit<CastRows, 'casts'> => {
  const own = ({ fid, hash, ts }: Unrooted) => ({ fid, hash, ts });
  return {
    replies: casts.flatMap((cast) => {
      if (cast.parent_fid !== null && cast.parent_hash !== null)
        return [{ ...own(cast), parent_fid: cast.parent_fid, parent_hash: cast.parent_hash }];
      return cast.parent_url === null ? [] : [{ ...own(cast), parent_fid: 0, parent_hash: urlDigest(cast.parent_url) }];
    }),
    mentions: casts.flatMap((cast) => [...new Set(cast.mentions)].map((fid) => ({ ...own(cast), mentioned_fid: fid }))),
    quotes: casts.flatMap((cast) => {
      const quoted = cast.embeds.flatMap((embed) => ('hash' in embed ? [embed] : []));
      const once = new Map(quoted.map((embed) => [`${embed.fid}:${embed.hash}`, embed]));
      return [...once.values()].map(({ fid, hash }) => ({
        ...own(cast),
        quoted_fid: fid,
        quoted_hash: Buffer.from(hash, 'hex'),
      }));
    }),
  };
};

const parentOf = (cast: Unrooted): CastId | undefined =>
  cast.parent_fid !== null && cast.parent_hash !== null ? { fid: cast.parent_fid, hash: cast.parent_hash } : undefined;

/**
 * Finds where each thread begins: up through the batch and through what is stored, as far as that goes. A stored
 * cast knows the beginning of its own thread; when that was an absent cast which this batch brings, the way goes on.
 */
const rooted = async (session: Session, casts: readonly Unrooted[]): Promise<CastRow[]> => {
  const inBatch = new Map(casts.map((cast) => [name(cast), cast]));
  const outside = new Map<string, CastId>();
  for (const cast of casts) {
    const parent = parentOf(cast);
    if (parent && !inBatch.has(name(parent))) outside.set(name(parent), parent);
  }
  const stored = new Map((await selectCastRoots(session, [...outside.values()])).map((row) => [name(row), row]));
  const known = new Map<string, CastRoot>();

  /** One step up: a cast of the batch to go on with, or the beginning. */
  const above = (cast: Unrooted): Unrooted | CastRoot => {
    const parent = parentOf(cast);
    if (!parent) return { root_fid: cast.fid, root_hash: cast.hash, root_parent_url: cast.parent_url };
    const next = inBatch.get(name(parent));
    if (next) return next;
    const root = stored.get(name(parent)) ?? { root_fid: parent.fid, root_hash: parent.hash, root_parent_url: null };
    return inBatch.get(name({ fid: root.root_fid, hash: root.root_hash })) ?? root;
  };

  const rootOf = (start: Unrooted): CastRoot => {
    const path: Unrooted[] = [];
    let found: Unrooted | CastRoot = start;
    while (!('root_fid' in found)) {
      path.push(found);
      found = known.get(name(found)) ?? above(found);
    }
    for (const passed of path) known.set(name(passed), found);
    return found;
  };

  return casts.map((cast) => {
    const { root_fid, root_hash, root_parent_url } = rootOf(cast);
    return { ...cast, root_fid, root_hash, root_parent_url };
  });
};

const count = (effect: Effect, casts: readonly Unrooted[], refs: Omit<CastRows, 'casts'>, by: 1 | -1): void => {
  for (const cast of casts) {
    effect.touchCast(cast.hash);
    effect.countAccount(cast.fid, 'cast_count', by);
  }
  for (const reply of refs.replies)
    if (reply.parent_fid !== 0) effect.countCast(reply.parent_fid, reply.parent_hash, 'reply_count', by);
  for (const quote of refs.quotes) effect.countCast(quote.quoted_fid, quote.quoted_hash, 'quote_count', by);
};

const isAdd = (held: Held | undefined): held is Held => held?.type === MessageType.CAST_ADD;

/**
 * Casts that came or went: their rows, the references by which they are found, the counters of what they refer to,
 * and the beginnings of threads, which the arrival or the loss of a cast in the middle moves.
 */
export const ingestCasts = async (session: Session, transitions: readonly Transition[], effect: Effect) => {
  const gone = transitions.flatMap(({ before }) => (isAdd(before) ? [castRow(before)] : []));
  const come = transitions.flatMap(({ after }) => (isAdd(after) ? [castRow(after)] : []));
  if (gone.length > 0) {
    const refs = references(gone);
    await deleteCasts(session, { casts: gone, ...refs });
    count(effect, gone, refs, -1);
    for (const { hash } of await cutCastRoots(session, gone)) effect.touchCast(hash);
  }
  if (come.length === 0) return;
  const refs = references(come);
  const casts = await rooted(session, come);
  await insertCasts(session, { casts, ...refs });
  count(effect, come, refs, 1);
  for (const { hash } of await updateCastRoots(session, casts)) effect.touchCast(hash);
};
