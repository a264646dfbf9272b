import { type FarcasterNetwork, MessageType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { readChannelRegistration } from '../../protocol/channel/decode.js';
import { MessageSet } from '../../protocol/conflict.js';
import { type HubEventRow, type Invalidation, insertChange, insertHubEvents, lockIngest } from '../../store/change.js';
import { countHistory } from '../../store/crawl/cast-url.js';
import { type HubPosition, upsertHubPosition } from '../../store/hub/position.js';
import { insertAccounts, updateUsernames } from '../../store/protocol/account.js';
import { updateAccountAddresses } from '../../store/protocol/account-address.js';
import { updateAccountCounts, updateCastCounts } from '../../store/protocol/counter.js';
import { selectReplacedProofMessages } from '../../store/protocol/message.js';
import { nameOf } from '../../store/tag.js';
import { BatchChanges } from '../batch-changes.js';
import { type Candidate, isFromHub, type MessageCandidate, ofKind } from '../candidate.js';
import { ingestChannels } from '../channel/ingest-channel.js';
import { type ChannelStep, channelStepOf } from '../channel/step.js';
import type { IngestOutcome } from '../ingest-outcome.js';
import type { OnchainItem } from '../item.js';
import { ingestKeyNonces } from '../kind/key-nonce.js';
import { ingestOnchainEvents } from '../kind/onchain-event.js';
import { rejectUnverifiedAddresses } from '../kind/primary-address.js';
import { requirePro } from '../kind/pro-subscription.js';
import { lostNames, rejectForeignNames } from '../kind/username.js';
import { ingestUsernameProofs, removeUsernameProofs, supersededProofs } from '../kind/username-proof.js';
import {
  ingestKeyUses,
  overLimit,
  rejectUnknownSigners,
  type SignerLookup,
  selectSigners,
} from './account-authority.js';
import { applyMessages, type Dropped, type MergedItem } from './apply-batch.js';
import { storeDeferredMessages } from './deferred-message.js';
import { mergeEvent, onchainHubEvent, proofHubEvent, pruneEvent, revokeEvent } from './event-log.js';
import { roundsOf } from './round.js';
import { rejectAsHub } from './submission.js';

export interface BatchResult {
  /** One for each candidate. */
  readonly outcomes: IngestOutcome[];
  readonly invalidation: Invalidation;
}

export interface BatchContext {
  readonly network: FarcasterNetwork;
  /** Unix milliseconds. */
  readonly now: number;
  /** Where the protocol's channels are registered, `eip155:<chain>/erc721:<address>`; undefined: unknown. */
  readonly channelRegistrar: string | undefined;
}

const KNOWN: IngestOutcome = { status: 'known' };
const MERGED: IngestOutcome = { status: 'merged' };
const SUPERSEDED: IngestOutcome = { status: 'superseded' };

/** Rejects messages because of the stored state. */
const refusals = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  signers: SignerLookup,
  context: BatchContext,
) => {
  const refused = new Map([
    ...(await rejectUnverifiedAddresses(session, candidates)),
    ...(await rejectForeignNames(session, candidates)),
    ...(await rejectUnknownSigners(session, candidates, signers, context.now)),
  ]);
  const local = candidates.filter((candidate) => candidate.options.source === 'local' && !refused.has(candidate));
  if (local.length === 0) return refused;
  const asHub = await rejectAsHub(session, local, context.network, context.now);
  const withoutPro = await requirePro(session, local, context.now);
  return new Map([...refused, ...withoutPro, ...asHub]);
};

const isStoredCast = ({ outcome, message }: MergedItem): boolean =>
  outcome.status === 'merged' && message.type === MessageType.CAST_ADD;

/** Hub events of an item whose source is live. A hub prunes a loan of 0 units at once (snapchain, storage_lend_store.rs). */
const eventOf = (item: MergedItem): HubEventRow[] => {
  if (item.outcome.status === 'merged') {
    const merged = mergeEvent(item.message, item.replaced);
    return item.message.void ? [merged, pruneEvent(item.message)] : [merged];
  }
  if (item.outcome.status !== 'removed' || item.reason === 'replaced') return [];
  return [item.reason === 'prune' ? pruneEvent(item.message) : revokeEvent(item.message)];
};

/** A step that may change the protocol's channels, with the index of its item in the batch. */
interface PlacedStep {
  readonly index: number;
  readonly step: ChannelStep;
}

/** Messages that were removed without an item of their own come after all items. */
const placedStepOf = (item: MergedItem, indexes: ReadonlyMap<Candidate, number>): PlacedStep[] => {
  const step = channelStepOf(item);
  const index = item.candidate === undefined ? indexes.size : (indexes.get(item.candidate) as number);
  return step === undefined ? [] : [{ index, step }];
};

const registrationSteps = (index: number, item: OnchainItem): PlacedStep[] => {
  const registration = item.wire && readChannelRegistration(item.wire);
  return registration === undefined ? [] : [{ index, step: { kind: 'registration', registration } }];
};

/** Sets that the rules for other messages read: keys decide who may sign, verifications which address may be primary. */
const BASES: readonly number[] = [MessageSet.key, MessageSet.verification];

const rankOf = (candidate: Candidate): number => {
  if (candidate.kind !== 'message' && candidate.kind !== 'removal') return BASES.length;
  const { messageSet } = candidate.message;
  // A hub decides about primary addresses itself, and its order is kept in the log of events.
  if (isFromHub(candidate)) return messageSet === MessageSet.key ? 0 : BASES.length;
  const rank = BASES.indexOf(messageSet);
  return rank < 0 ? BASES.length : rank;
};

/**
 * Items that were not submitted here may come in any order, so those that others depend on are first. Submissions follow
 * in the order of their arrival.
 */
const phasesOf = (candidates: readonly Candidate[]): Candidate[][] => {
  const others: Candidate[][] = Array.from({ length: BASES.length + 1 }, () => []);
  for (const candidate of candidates)
    if (candidate.options.source !== 'local') others[rankOf(candidate)]?.push(candidate);
  const submitted = candidates.filter(({ options }) => options.source === 'local');
  return [...others, ...roundsOf(submitted)].filter((phase) => phase.length > 0);
};

const earliest = (candidates: readonly MessageCandidate[]): { fid: number; firstTs: number }[] => {
  const first = new Map<number, number>();
  for (const { message } of candidates)
    first.set(message.fid, Math.min(message.ts, first.get(message.fid) ?? message.ts));
  return Array.from(first, ([fid, firstTs]) => ({ fid, firstTs }));
};

/**
 * Decides which usernames accounts show. An account that shows a name already exists, because one of its messages
 * claims the name; so new accounts affect only the given names.
 * @param renamed fids that claim another name now
 * @param proofNames names with changed proofs: the latest proof also decides between two accounts with one name
 */
const decideUsernames = async (
  session: Session,
  renamed: readonly number[],
  proofNames: readonly string[],
  changes: BatchChanges,
): Promise<void> => {
  for (const { fid, before, after } of await updateUsernames(session, renamed, proofNames)) {
    changes.invalidateProfiles([fid]);
    for (const name of [before, after]) if (name !== null) changes.invalidate(nameOf(name));
  }
  for (const name of proofNames) changes.invalidate(nameOf(name));
};

/**
 * Stores one batch inside a transaction, under the ingest lock: messages with all their consequences, counters, the
 * event log, cache invalidation, and positions of the streams.
 */
export const applyBatch = async (
  session: Session,
  candidates: readonly Candidate[],
  positions: readonly HubPosition[],
  context: BatchContext,
): Promise<BatchResult> => {
  await lockIngest(session);
  const changes = new BatchChanges();
  const outcomes: IngestOutcome[] = candidates.map(() => KNOWN);
  const events: HubEventRow[] = [];

  const channelSteps: PlacedStep[] = [];
  let hasHistory = false;

  const onchain = ofKind(candidates, 'onchain');
  const fresh = await ingestOnchainEvents(
    session,
    onchain.map(({ candidate }) => candidate),
    changes,
  );
  for (const [position, { index, candidate }] of onchain.entries()) {
    if (!fresh[position]) continue;
    outcomes[index] = MERGED;
    if (candidate.options.announce) events.push(onchainHubEvent(candidate));
    channelSteps.push(...registrationSteps(index, candidate));
  }

  // Before the messages that claim these names.
  const proofs = ofKind(candidates, 'proof');
  const isRemoval = ({ candidate }: (typeof proofs)[number]): boolean => candidate.isRemoval === true;
  const proofsOf = (part: typeof proofs) => part.map(({ candidate }) => candidate.proof);
  const gone = await removeUsernameProofs(session, proofsOf(proofs.filter(isRemoval)));
  const proven = await ingestUsernameProofs(session, proofsOf(proofs.filter((one) => !isRemoval(one))), []);
  for (const { index, candidate } of proofs) {
    const isChanged = (candidate.isRemoval ? gone : proven).includes(
      Buffer.from(candidate.proof.name).toString('utf8'),
    );
    if (candidate.isRemoval) outcomes[index] = { status: isChanged ? 'removed' : 'absent' };
    else if (isChanged) outcomes[index] = MERGED;
    if (candidate.options.announce && isChanged && !candidate.isRemoval) events.push(proofHubEvent(candidate.proof));
  }

  const indexes = new Map(candidates.map((candidate, index) => [candidate, index]));
  const accepted: MessageCandidate[] = [];
  const names: string[] = [];
  const renamed: number[] = [];
  for (const phase of phasesOf(candidates)) {
    const offered = ofKind(phase, 'message').map(({ candidate }) => candidate);
    const signers = await selectSigners(session, offered);
    const refused = await refusals(session, offered, signers, context);
    for (const [candidate, outcome] of refused) outcomes[indexes.get(candidate) as number] = outcome;
    await storeDeferredMessages(session, refused);
    const late = await supersededProofs(session, offered);
    for (const candidate of late) if (!refused.has(candidate)) outcomes[indexes.get(candidate) as number] = SUPERSEDED;
    const fit = phase.filter((one) => !refused.has(one as MessageCandidate) && !late.has(one as MessageCandidate));
    const validMessages = ofKind(fit, 'message').map(({ candidate }) => candidate);
    accepted.push(...validMessages);
    const inserted = await insertAccounts(session, earliest(validMessages));
    changes.invalidateProfiles(inserted);
    const keys = await ingestKeyNonces(session, validMessages);
    await ingestKeyUses(session, validMessages, signers);
    const effective = fit.filter((one) => !keys.known.has(one as MessageCandidate));
    const applied = await applyMessages(session, effective, undefined, context.channelRegistrar, changes, keys.next);
    for (const item of applied.items) {
      if (item.candidate) outcomes[indexes.get(item.candidate) as number] = item.outcome;
      if (item.announce) events.push(...eventOf(item));
      else hasHistory ||= isStoredCast(item);
      channelSteps.push(...placedStepOf(item, indexes));
    }
    names.push(...applied.names);
    renamed.push(...applied.renamed);
  }

  const drop = async (dropped: Dropped): Promise<void> => {
    const { items, ...claims } = await applyMessages(session, [], dropped, context.channelRegistrar, changes);
    for (const item of items) {
      if (item.announce) events.push(...eventOf(item));
      channelSteps.push(...placedStepOf(item, indexes));
    }
    names.push(...claims.names);
    renamed.push(...claims.renamed);
  };
  const announce = proofs.some(({ candidate }) => candidate.options.announce);
  const replaced = await selectReplacedProofMessages(session, proven);
  await drop({ rows: [...replaced, ...(await lostNames(session, proven))], reason: 'revoke', announce });
  // A hub prunes only after it stored something, even if the storage is full.
  const grown = accepted.filter(
    (candidate) =>
      candidate.options.source === 'local' && outcomes[indexes.get(candidate) as number]?.status === 'merged',
  );
  if (grown.length > 0) {
    const excess = await overLimit(session, grown, context.network, context.now);
    await drop({ rows: excess, reason: 'prune', announce: true });
  }

  await decideUsernames(session, renamed, [...names, ...proven, ...gone], changes);
  const steps = channelSteps.toSorted((a, b) => a.index - b.index).map(({ step }) => step);
  await ingestChannels(session, steps, context.channelRegistrar, changes);

  await updateAccountAddresses(session, changes.addressFids());
  await updateCastCounts(session, changes.castCounts());
  await updateAccountCounts(session, changes.accountCounts());
  await insertHubEvents(session, events);
  if (hasHistory) await countHistory(session);
  const invalidation = changes.invalidation();
  if (invalidation.all || invalidation.tags.length > 0) await insertChange(session, invalidation);
  for (const position of positions) await upsertHubPosition(session, position);
  return { outcomes, invalidation };
};
