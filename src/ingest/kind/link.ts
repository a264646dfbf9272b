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

const linkRow = (held: StoredMessage | undefined): LinkRow[] => {
  if (held?.type !== MessageType.LINK_ADD || held.void || held.target_fid === null) return [];
  const { target_fid, subtype, ts, hash, fid } = held;
  return [{ target_fid, type: subtype, ts, hash, fid }];
};

const blocks = (rows: readonly LinkRow[]): BlockRow[] =>
  rows.flatMap(({ type, fid, target_fid, ts, hash }) =>
    type === LinkSubtype.block ? [{ fid, blocked_fid: target_fid, ts, hash }] : [],
  );

const count = (changes: BatchChanges, rows: readonly LinkRow[], by: 1 | -1): void => {
  for (const row of rows) {
    if (row.type !== LinkSubtype.follow) continue;
    changes.countAccount(row.target_fid, 'follower_count', by);
    changes.countAccount(row.fid, 'following_count', by);
  }
};

const invalidate = (changes: BatchChanges, rows: readonly LinkRow[]): void => {
  for (const { type, fid, target_fid } of rows) {
    if (type === LinkSubtype.follow) changes.invalidate(followsOf(fid), followersOf(target_fid));
    if (type === LinkSubtype.block) changes.invalidate(relationsOf(fid), relationsOf(target_fid));
  }
};

/** Stores links that were added, removed, or voided by a compact state: rows by target, blocks, follow counts. */
export const ingestLinks = async (session: Session, transitions: readonly Transition[], changes: BatchChanges) => {
  const gone = transitions.flatMap(({ before }) => linkRow(before));
  const come = transitions.flatMap(({ after }) => linkRow(after));
  await deleteLinks(session, gone);
  await insertLinks(session, come);
  await deleteBlocks(session, blocks(gone));
  await insertBlocks(session, blocks(come));
  count(changes, gone, -1);
  count(changes, come, 1);
  invalidate(changes, [...gone, ...come]);
};
