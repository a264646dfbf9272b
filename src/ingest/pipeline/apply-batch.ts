import type { Session } from '../../db/statement.js';
import { isChannelType } from '../../protocol/channel/type.js';
import { MessageSet } from '../../protocol/conflict.js';
import {
  deleteMessages,
  insertMessages,
  type MessageKey,
  type MessageRow,
  selectMessageSets,
  selectMessages,
  selectProofMessages,
  upsertMessages,
} from '../../store/protocol/message.js';
import type { BatchChanges } from '../batch-changes.js';
import { type Candidate, type MessageCandidate, ofKind } from '../candidate.js';
import { ingestChannelFollows } from '../channel/follow.js';
import type { IngestOutcome } from '../ingest-outcome.js';
import { ingestCasts } from '../kind/cast.js';
import { ingestLinks } from '../kind/link.js';
import { primaryAddressKeys, revokesPrimaryAddress } from '../kind/primary-address.js';
import { ingestReactions } from '../kind/reaction.js';
import { ingestSignerKeys } from '../kind/signer-key.js';
import { ingestUserData } from '../kind/user-data.js';
import { ingestUsernameProofs } from '../kind/username-proof.js';
import { ingestVerifications } from '../kind/verification.js';
import { MergeState, type Transition } from '../merge.js';
import { conflictKeyOf, decodedOf, linkTypeOf, type StoredMessage } from '../stored-message.js';

/** A message that was merged or removed, with its outcome. */
export interface MergedItem {
  /**
   * Undefined for messages removed because of a removed verification, a moved name or a storage limit, and for links that
   * came or went with another message.
   */
  readonly candidate: Candidate | undefined;
  readonly message: StoredMessage;
  readonly outcome: IngestOutcome;
  /** Whether the event log gets an event. */
  readonly announce: boolean;
  /** Messages replaced by a merged one. */
  readonly replaced: readonly StoredMessage[];
  readonly reason: 'prune' | 'revoke' | 'replaced' | undefined;
}

export interface Applied {
  readonly items: readonly MergedItem[];
  /** Names with changed proofs. */
  readonly names: readonly string[];
  /** Fids that claim another name now. */
  readonly renamed: readonly number[];
}

/** Rows to remove for another reason than an item: their name moved, or the storage is full. */
export interface Dropped {
  readonly rows: readonly MessageRow[];
  readonly reason: 'prune' | 'revoke';
  readonly announce: boolean;
}

/** Every stored row that conflicts with one of these messages, or whose state depends on one. */
const competitors = async (session: Session, offered: readonly StoredMessage[]): Promise<MessageRow[]> => {
  const keys = new Map<string, MessageKey>();
  const compacted = new Set<number>();
  for (const message of offered) {
    for (const key of [message, ...primaryAddressKeys(message)]) keys.set(conflictKeyOf(key), key);
    if (message.messageSet === MessageSet.linkCompactState) compacted.add(message.fid);
    if (message.messageSet !== MessageSet.link) continue;
    const state = {
      fid: message.fid,
      messageSet: MessageSet.linkCompactState,
      key: Buffer.from(linkTypeOf(message), 'utf8'),
    };
    keys.set(conflictKeyOf(state), state);
  }
  const rows = await selectMessages(session, [...keys.values()]);
  const links = await selectMessageSets(session, [MessageSet.link], [...compacted]);
  const names = offered.flatMap(({ messageSet, key }) => (messageSet === MessageSet.usernameProof ? [key] : []));
  const proofs = await selectProofMessages(session, names);
  return [...new Map([...rows, ...links, ...proofs].map((row) => [conflictKeyOf(row), row])).values()];
};

const write = async (session: Session, transitions: readonly Transition[]): Promise<void> => {
  // A proof of a name may replace that of another account.
  const isUpdate = ({ before, after }: Transition): boolean => before?.fid === after?.fid;
  await deleteMessages(
    session,
    transitions.flatMap((one) => (one.before && !isUpdate(one) ? [one.before] : [])),
  );
  // Nobody else writes under the ingest lock, so what `competitors` did not find is not stored.
  await insertMessages(
    session,
    transitions.flatMap((one) => (one.after && !isUpdate(one) ? [one.after] : [])),
  );
  await upsertMessages(
    session,
    transitions.flatMap((one) => (one.after && isUpdate(one) ? [one.after] : [])),
  );
};

const bySet = (transitions: readonly Transition[], set: number): Transition[] =>
  transitions.filter(({ before, after }) => (after ?? before)?.messageSet === set);

/** @returns the primary addresses that are revoked with the verification that this message replaced */
const revokePrimaryAddress = (
  state: MergeState,
  candidate: MessageCandidate,
  replaced: readonly StoredMessage[],
): MergedItem[] =>
  replaced.flatMap((verification) =>
    primaryAddressKeys(verification).flatMap((key): MergedItem[] => {
      const userData = state.get(key);
      if (!userData || !revokesPrimaryAddress(candidate, verification, userData)) return [];
      state.remove(userData);
      return [{ ...REMOVED, message: userData, announce: candidate.options.announce, reason: 'revoke' }];
    }),
  );

const REMOVED = { candidate: undefined, outcome: { status: 'removed' }, replaced: [] } as const;

/** @returns the links that came or went with what was just merged or removed: who follows the log knows them by events only */
const linkChanges = (state: MergeState, announce: boolean): MergedItem[] =>
  state.takeLinkChanges().map(({ link: message, isActive }) => {
    if (!isActive) return { ...REMOVED, message, announce, reason: 'prune' };
    return { ...REMOVED, outcome: { status: 'merged' }, message, announce, reason: undefined };
  });

const offer = (state: MergeState, candidate: Candidate, next: ReadonlySet<Candidate>): MergedItem[] => {
  const { announce, source } = candidate.options;
  if (candidate.kind === 'message') {
    const { message } = candidate;
    const merged = state.merge(message, { isNext: next.has(candidate), keepsVoid: source !== 'local' });
    const isUnknown = message.messageSet === MessageSet.unknown && !isChannelType(message.type);
    const isKept = merged.status === 'merged' && isUnknown;
    const outcome: IngestOutcome = { status: isKept ? 'kept' : merged.status };
    const replaced = merged.status === 'merged' ? merged.replaced : [];
    const item = { candidate, message, outcome, announce, replaced, reason: undefined };
    return [item, ...revokePrimaryAddress(state, candidate, replaced)];
  }
  if (candidate.kind !== 'removal') return [];
  const { message, reason } = candidate;
  const isRemoved = reason === 'revoke' ? state.revoke(message) : state.remove(message);
  const outcome: IngestOutcome = { status: isRemoved ? 'removed' : 'absent' };
  return [{ candidate, message, outcome, announce, replaced: [], reason }];
};

/**
 * Merges messages into the stored sets and applies all consequences except counters, which `changes` collects.
 * @param dropped further rows to remove
 * @param channelRegistrar decides which likes of URLs are follows of the protocol's channels
 * @param next those that replace what is stored, whatever the conflict rules say
 */
export const applyMessages = async (
  session: Session,
  candidates: readonly Candidate[],
  dropped: Dropped | undefined,
  channelRegistrar: string | undefined,
  changes: BatchChanges,
  next: ReadonlySet<Candidate> = new Set(),
): Promise<Applied> => {
  const offered = candidates.flatMap((candidate) => ('message' in candidate ? [candidate.message] : []));
  const { rows = [], reason = 'prune', announce = false } = dropped ?? {};
  if (offered.length + rows.length === 0) return { items: [], names: [], renamed: [] };
  const state = new MergeState(await competitors(session, [...offered, ...rows]));
  const items = rows.flatMap((message): MergedItem[] =>
    state.remove(message) ? [{ ...REMOVED, message, announce, reason }, ...linkChanges(state, announce)] : [],
  );
  for (const candidate of candidates) {
    items.push(...offer(state, candidate, next), ...linkChanges(state, candidate.options.announce));
  }
  const transitions = state.transitions();
  for (const { after } of transitions) if (after) decodedOf(after);
  await write(session, transitions);
  const refusedCasts = ofKind(candidates, 'message')
    .map(({ candidate }) => candidate.message)
    .filter((message) => message.messageSet === MessageSet.cast && !state.isCurrent(message));
  await ingestCasts(session, bySet(transitions, MessageSet.cast), refusedCasts, changes);
  await ingestReactions(session, bySet(transitions, MessageSet.reaction), changes);
  await ingestChannelFollows(session, bySet(transitions, MessageSet.reaction), channelRegistrar, changes);
  await ingestLinks(session, bySet(transitions, MessageSet.link), changes);
  const renamed = await ingestUserData(session, bySet(transitions, MessageSet.userData), changes);
  await ingestVerifications(session, bySet(transitions, MessageSet.verification), changes);
  const names = await ingestUsernameProofs(session, [], bySet(transitions, MessageSet.usernameProof));
  const keys = bySet(transitions, MessageSet.key);
  await ingestSignerKeys(
    session,
    [...new Set(keys.map(({ before, after }) => (after ?? before)?.fid as number))],
    changes,
  );
  return { items, names, renamed };
};
