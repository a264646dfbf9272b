import { MessageType, ReactionType } from '@farcaster/core';
import type { Session } from '../store/database.js';
import { deleteReactions, insertReactions, type ReactionRow, updateReactionGroups } from '../store/reaction.js';
import type { Effect } from './effect.js';
import type { Held } from './held.js';
import type { Transition } from './merge.js';

const reactionRow = (held: Held | undefined): ReactionRow[] => {
  if (held?.type !== MessageType.REACTION_ADD || held.target_fid === null || held.target_hash === null) return [];
  const { target_fid, target_hash, subtype, ts, hash, fid } = held;
  return [{ target_fid, target_hash, type: subtype, ts, hash, fid }];
};

const count = (effect: Effect, rows: readonly ReactionRow[], by: 1 | -1): void => {
  for (const row of rows) {
    if (row.target_fid === 0) continue;
    const counter = row.type === ReactionType.LIKE ? 'like_count' : 'recast_count';
    effect.countCast(row.target_fid, row.target_hash, counter, by);
  }
};

/** Each cast and kind of reaction once. */
const groupsOf = (rows: readonly ReactionRow[]): ReactionRow[] => {
  const groups = new Map<string, ReactionRow>();
  for (const row of rows) {
    if (row.target_fid === 0) continue;
    groups.set(`${row.target_fid}:${row.type}:${Buffer.from(row.target_hash).toString('latin1')}`, row);
  }
  return [...groups.values()];
};

/** Reactions that came or went: their rows under the target, and the target's counters and newest reactions. */
export const ingestReactions = async (session: Session, transitions: readonly Transition[], effect: Effect) => {
  const gone = transitions.flatMap(({ before }) => reactionRow(before));
  const come = transitions.flatMap(({ after }) => reactionRow(after));
  await deleteReactions(session, gone);
  await insertReactions(session, come);
  await updateReactionGroups(session, groupsOf([...gone, ...come]));
  count(effect, gone, -1);
  count(effect, come, 1);
};
