import { MessageType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { LinkSubtype } from '../../protocol/link-subtype.js';
import {
  type BlockRow,
  deleteBlocks,
  deleteLinks,
  insertBlocks,
  insertLinks,
  type LinkRow,
} from '../../store/protocol/link.js';
import { followersOf, followsOf, relationsOf } from '../../store/tag.js';
import type { BatchChanges } from '../batch-changes.js';
import type { Transition } from '../merge.js';
import type { StoredMessage } from '../stored-message.js';

const linkRow = (message: StoredMessage | undefined): LinkRow[] => {
  if (message?.type !== MessageType.LINK_ADD || message.void || message.targetFid === null) return [];
  const { targetFid, subtype, ts, hash, fid } = message;
  return [{ targetFid, type: subtype, ts, hash, fid }];
};

const blocks = (rows: readonly LinkRow[]): BlockRow[] =>
  rows.flatMap(({ type, fid, targetFid, ts, hash }) =>
    type === LinkSubtype.block ? [{ fid, blockedFid: targetFid, ts, hash }] : [],
  );

const count = (changes: BatchChanges, rows: readonly LinkRow[], by: 1 | -1): void => {
  for (const row of rows) {
    if (row.type !== LinkSubtype.follow) continue;
    changes.countAccount(row.targetFid, 'followerCount', by);
    changes.countAccount(row.fid, 'followingCount', by);
  }
};

const invalidate = (changes: BatchChanges, rows: readonly LinkRow[]): void => {
  for (const { type, fid, targetFid } of rows) {
    if (type === LinkSubtype.follow) changes.invalidate(followsOf(fid), followersOf(targetFid));
    if (type === LinkSubtype.block) changes.invalidate(relationsOf(fid), relationsOf(targetFid));
  }
};

/** Stores links that were added, removed, or voided by a compact state: rows by target, blocks, follow counts. */
export const ingestLinks = async (session: Session, transitions: readonly Transition[], changes: BatchChanges) => {
  const removed = transitions.flatMap(({ before }) => linkRow(before));
  const added = transitions.flatMap(({ after }) => linkRow(after));
  await deleteLinks(session, removed);
  await insertLinks(session, added);
  await deleteBlocks(session, blocks(removed));
  await insertBlocks(session, blocks(added));
  count(changes, removed, -1);
  count(changes, added, 1);
  invalidate(changes, [...removed, ...added]);
};
