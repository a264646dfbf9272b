import { MessageSet } from '../../protocol/conflict.js';
import type { Session } from '../../store/database.js';
import {
  deleteMessages,
  type MessageKey,
  type MessageRow,
  selectMessageSets,
  selectMessages,
  upsertMessages,
} from '../../store/message.js';
import type { BatchChanges } from '../batch-changes.js';
import type { Candidate } from '../candidate.js';
import { ingestCasts } from '../kind/cast.js';
import { decodedOf, type Held, linkTypeOf, placeOf } from '../stored-message.js';
import { ingestKeys } from '../kind/key.js';
import { ingestLinks } from '../kind/link.js';
import { MergeState, type Transition } from '../merge.js';
import type { Outcome } from '../ingest-outcome.js';
import { ingestReactions } from '../kind/reaction.js';
import { ingestUserData } from '../kind/user-data.js';
import { ingestUsernameProofs } from '../kind/username-proof.js';
import { ingestVerifications } from '../kind/verification.js';

/** One message that was offered or taken away, and what became of it. */
export interface MergedItem {
  /** Undefined for messages that fall with a key or over a storage limit: nobody submitted that. */
  readonly candidate: Candidate | undefined;
  readonly held: Held;
  readonly outcome: Outcome;
  /** What a merged message put out of force. */
  readonly replaced: readonly Held[];
  readonly reason: 'prune' | 'revoke' | 'replaced' | undefined;
}

export interface Applied {
  readonly items: readonly MergedItem[];
  readonly revoked: readonly { readonly fid: number; readonly signer: Uint8Array }[];
  /** Names whose proofs changed. */
  readonly names: readonly string[];
  /** Fids that claim another name now. */
  readonly renamed: readonly number[];
}

/** Every stored row that decides about one of these messages, or about which one of them decides. */
const competitors = async (session: Session, offered: readonly Held[]): Promise<MessageRow[]> => {
  const keys = new Map<string, MessageKey>();
  const compacted = new Set<number>();
  for (const held of offered) {
    keys.set(placeOf(held), held);
    if (held.message_set === MessageSet.linkCompactState) compacted.add(held.fid);
    if (held.message_set !== MessageSet.link) continue;
    const state = {
      fid: held.fid,
      message_set: MessageSet.linkCompactState,
      key: Buffer.from(linkTypeOf(held), 'utf8'),
    };
    keys.set(placeOf(state), state);
  }
  const rows = await selectMessages(session, [...keys.values()]);
  const links = await selectMessageSets(session, [MessageSet.link], [...compacted]);
  return [...new Map([...rows, ...links].map((row) => [placeOf(row), row])).values()];
};

const write = async (session: Session, transitions: readonly Transition[]): Promise<void> => {
  await deleteMessages(
    session,
    transitions.flatMap(({ before, after }) => (before && !after ? [before] : [])),
  );
  await upsertMessages(
    session,
    transitions.flatMap(({ after }) => (after ? [after] : [])),
  );
};

const bySet = (transitions: readonly Transition[], set: number): Transition[] =>
  transitions.filter(({ before, after }) => (after ?? before)?.message_set === set);

const offer = (state: MergeState, candidate: Candidate): MergedItem[] => {
  if (candidate.kind === 'message') {
    const { held } = candidate;
    const merged = state.merge(held);
    const isKept = merged.status === 'merged' && held.message_set === MessageSet.unknown;
    const outcome: Outcome = { status: isKept ? 'kept' : merged.status };
    return [
      { candidate, held, outcome, replaced: merged.status === 'merged' ? merged.replaced : [], reason: undefined },
    ];
  }
  if (candidate.kind !== 'removal') return [];
  const { held, reason } = candidate;
  const outcome: Outcome = { status: state.remove(held) ? 'removed' : 'absent' };
  return [{ candidate, held, outcome, replaced: [], reason }];
};

/**
 * Merges messages into the stored sets and draws every consequence but the counters, which `changes` adds up.
 * @param fallen rows that go besides: their key was removed, or their account has no room for them
 */
export const applyMessages = async (
  session: Session,
  candidates: readonly Candidate[],
  fallen: readonly MessageRow[],
  changes: BatchChanges,
): Promise<Applied> => {
  const offered = candidates.flatMap((candidate) => ('held' in candidate ? [candidate.held] : []));
  if (offered.length + fallen.length === 0) return { items: [], revoked: [], names: [], renamed: [] };
  const state = new MergeState(await competitors(session, [...offered, ...fallen]));
  const items: MergedItem[] = candidates.flatMap((candidate) => offer(state, candidate));
  for (const held of fallen) {
    if (state.remove(held))
      items.push({ candidate: undefined, held, outcome: { status: 'removed' }, replaced: [], reason: 'revoke' });
  }
  const transitions = state.transitions();
  for (const { after } of transitions) if (after) decodedOf(after);
  await write(session, transitions);
  await ingestCasts(session, bySet(transitions, MessageSet.cast), changes);
  await ingestReactions(session, bySet(transitions, MessageSet.reaction), changes);
  await ingestLinks(session, bySet(transitions, MessageSet.link), changes);
  const renamed = await ingestUserData(session, bySet(transitions, MessageSet.userData), changes);
  await ingestVerifications(session, bySet(transitions, MessageSet.verification), changes);
  const names = await ingestUsernameProofs(session, [], bySet(transitions, MessageSet.usernameProof));
  const revoked = await ingestKeys(session, bySet(transitions, MessageSet.key), changes);
  return { items, revoked, names, renamed };
};
