import { MessageType } from '@farcaster/core';
import { LinkSubtype } from '../protocol/link-subtype.js';
import type { Session } from '../store/database.js';
import { type BlockRow, deleteBlocks, deleteLinks, insertBlocks, insertLinks, type LinkRow } from '../store/link.js';
import { followersOf, followsOf, relationsOf } from '../store/list-source.js';
import type { Effect } from './effect.js';
import type { Held } from './held.js';
import type { Transition } from './merge.js';

const linkRow = (held: Held | undefined): LinkRow[] => {
  if (held?.type !== MessageType.LINK_ADD || held.void || held.target_fid === null) return [];
  const { target_fid, subtype, ts, hash, fid } = held;
  return [{ target_fid, type: subtype, ts, hash, fid }];
};

const blocks = (rows: readonly LinkRow[]): BlockRow[] =>
  rows.flatMap(({ type, fid, target_fid, ts, hash }) =>
    type === LinkSubtype.block ? [{ fid, blocked_fid: target_fid, ts, hash }] : [],
  );

const count = (effect: Effect, rows: readonly LinkRow[], by: 1 | -1): void => {
  for (const row of rows) {
    if (row.type !== LinkSubtype.follow) continue;
    effect.countAccount(row.target_fid, 'follower_count', by);
    effect.countAccount(row.fid, 'following_count', by);
  }
};

const touch = (effect: Effect, rows: readonly LinkRow[]): void => {
  for (const { type, fid, target_fid } of rows) {
    if (type === LinkSubtype.follow) effect.touchLists(followsOf(fid), followersOf(target_fid));
    if (type === LinkSubtype.block) effect.touchLists(relationsOf(fid), relationsOf(target_fid));
  }
};

/** Links that came, went, or stopped standing before a compact state: their rows under the target, blocks, and follow counts. */
export const ingestLinks = async (session: Session, transitions: readonly Transition[], effect: Effect) => {
  const gone = transitions.flatMap(({ before }) => linkRow(before));
  const come = transitions.flatMap(({ after }) => linkRow(after));
  await deleteLinks(session, gone);
  await insertLinks(session, come);
  await deleteBlocks(session, blocks(gone));
  await insertBlocks(session, blocks(come));
  count(effect, gone, -1);
  count(effect, come, 1);
  touch(effect, [...gone, ...come]);
};
