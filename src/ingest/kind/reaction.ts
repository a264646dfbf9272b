import { MessageType, ReactionType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import {
  deleteReactions,
  insertReactions,
  type ReactionRow,
  updateLatestReactions,
  updateReactionGroups,
} from '../../store/protocol/reaction.js';
import { feedOf, reactionsOf, repliesAndReactionsTo } from '../../store/tag.js';
import type { BatchChanges } from '../batch-changes.js';
import type { Transition } from '../merge.js';
import type { StoredMessage } from '../stored-message.js';

/** Counter of a cast by `ReactionType`. Reactions of other types are stored, but not counted. */
const COUNTER: ReadonlyMap<number, 'likeCount' | 'recastCount'> = new Map([
  [ReactionType.LIKE, 'likeCount'],
  [ReactionType.RECAST, 'recastCount'],
]);

/** @returns the row of a like or recast; none for a reaction of type NONE (0), which is only in `message` */
const reactionRow = (message: StoredMessage | undefined): ReactionRow[] => {
  if (message?.type !== MessageType.REACTION_ADD || message.targetFid === null || message.targetHash === null)
    return [];
  const { targetFid, targetHash, subtype, ts, hash, fid } = message;
  return COUNTER.has(subtype) ? [{ targetFid, targetHash, type: subtype, ts, hash, fid }] : [];
};

const count = (changes: BatchChanges, rows: readonly ReactionRow[], by: 1 | -1): void => {
  for (const row of rows) {
    const counter = COUNTER.get(row.type);
    if (row.targetFid === 0 || counter === undefined) continue;
    changes.countCast(row.targetFid, row.targetHash, counter, by);
  }
};

const invalidate = (changes: BatchChanges, rows: readonly ReactionRow[]): void => {
  for (const { fid, type, targetFid } of rows) {
    changes.invalidate(reactionsOf(fid));
    if (type === ReactionType.RECAST) changes.invalidate(feedOf(fid));
    if (targetFid !== 0) changes.invalidate(repliesAndReactionsTo(targetFid));
  }
};

/** The newest reaction of each type to each cast. */
const groupsOf = (rows: readonly ReactionRow[]): Map<string, ReactionRow> => {
  const groups = new Map<string, ReactionRow>();
  for (const row of rows) {
    if (row.targetFid === 0) continue;
    const name = `${row.targetFid}:${row.type}:${Buffer.from(row.targetHash).toString('latin1')}`;
    const newest = groups.get(name);
    if (newest === undefined || newest.ts < row.ts) groups.set(name, row);
  }
  return groups;
};

/** Only removals require a query for the newest remaining reaction. */
const updateGroups = async (
  session: Session,
  removed: readonly ReactionRow[],
  added: readonly ReactionRow[],
): Promise<void> => {
  const lost = groupsOf(removed);
  const raised = groupsOf(added);
  for (const name of lost.keys()) raised.delete(name);
  await updateReactionGroups(session, [...lost.values()]);
  await updateLatestReactions(session, [...raised.values()]);
};

/** Stores added and removed reactions: rows by target, counters and newest reactions of the target. */
export const ingestReactions = async (session: Session, transitions: readonly Transition[], changes: BatchChanges) => {
  const removed = transitions.flatMap(({ before }) => reactionRow(before));
  const added = transitions.flatMap(({ after }) => reactionRow(after));
  await deleteReactions(session, removed);
  await insertReactions(session, added);
  await updateGroups(session, removed, added);
  count(changes, removed, -1);
  count(changes, added, 1);
  invalidate(changes, [...removed, ...added]);
};
