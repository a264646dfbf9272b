import type { FarcasterNetwork } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import { isPruned, messagesOverLimit, storageLimit } from '../../protocol/storage-limit.js';
import { toUnixMs } from '../../protocol/time.js';
import { selectCustodyAddresses } from '../../store/protocol/account.js';
import { type MessageRow, selectMessageSets, selectOverLimit } from '../../store/protocol/message.js';
import { type SignerKeyState, selectSignerKeys, updateKeyUses } from '../../store/protocol/signer-key.js';
import type { MessageCandidate } from '../candidate.js';
import type { InvalidOutcome } from '../ingest-outcome.js';
import { rejectForeignKeys } from '../kind/key-authority.js';
import { type Storage, selectStorage } from '../kind/storage.js';
import { conflictCandidateOf, type StoredMessage } from '../stored-message.js';

const pairOf = (fid: number, key: Uint8Array): string =>
  `${fid}:${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')}`;

/** Key messages (set 9) are authorized by the custody signature in the body. */
const needsSigner = ({ message }: MessageCandidate): boolean => message.messageSet !== MessageSet.key;

/** The stored keys with which messages of a batch are signed. */
export type SignerLookup = (message: StoredMessage) => SignerKeyState | undefined;

export const selectSigners = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<SignerLookup> => {
  const pairs = new Map<string, { fid: number; key: Uint8Array }>();
  for (const { message } of candidates.filter(needsSigner))
    pairs.set(pairOf(message.fid, message.signer), { fid: message.fid, key: message.signer });
  const known = new Map(
    (await selectSignerKeys(session, [...pairs.values()])).map((row) => [pairOf(row.fid, row.key), row]),
  );
  return ({ fid, signer }) => known.get(pairOf(fid, signer));
};

/**
 * @param now Unix milliseconds
 * @returns why the key may not sign the message; keys registered onchain sign everything for ever. A key registered by a
 *   message signs the types in its scopes, and until it was unused for its ttl (hubs note a use up to 300 s late).
 * @source snapchain 0.14.2, `validate_user_message` (`engine.rs`), `active_key.rs`, `key_last_used_at_store.rs`
 */
const signerError = ({ fid, type }: StoredMessage, key: SignerKeyState, now: number): string | undefined => {
  const which = `The key 0x${bareHex(key.key)} of fid ${fid}`;
  if (!key.active) return `${which} was removed.`;
  if (key.scopes && !key.scopes.includes(type)) return `${which} may not sign messages of type ${type}.`;
  const usedAt = Math.max(key.decidedAt.getTime(), toUnixMs(key.lastUsedTs ?? 0));
  return key.ttl !== null && usedAt + key.ttl * 1000 < now
    ? `${which} expired: it was not used for ${key.ttl} seconds.`
    : undefined;
};

/** Begins with the words of hubs, which programs look for. */
export const unknownFid = (fid: number): InvalidOutcome => ({
  status: 'invalid',
  reason: 'unknown_fid',
  detail: `unknown fid: No registration of fid ${fid} is stored.`,
});

/** @returns the accounts among these that are not registered */
const selectUnregistered = async (session: Session, fids: readonly number[]): Promise<ReadonlySet<number>> => {
  if (fids.length === 0) return new Set();
  const registered = new Set((await selectCustodyAddresses(session, fids)).map(({ fid }) => fid));
  return new Set(fids.filter((fid) => !registered.has(fid)));
};

/**
 * Rejects messages whose signer is not a key of the account, except with `trustSigners`. A key that was removed, has
 * expired or lacks the scope signs nothing new, but what it signed before stays (snapchain since engine version 14), so
 * only messages submitted to this service are rejected for that: others were checked by the hub that accepted them.
 * @param now Unix milliseconds
 * @returns the error of each rejected candidate
 */
export const rejectUnknownSigners = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  signers: SignerLookup,
  now: number,
) => {
  const refused = new Map<MessageCandidate, InvalidOutcome>();
  for (const [candidate, detail] of await rejectForeignKeys(session, candidates)) {
    refused.set(candidate, { status: 'invalid', reason: 'bad_key', detail });
  }
  const signed = candidates.filter(needsSigner);
  const foreign = signed.filter(({ message, options }) => options.source === 'local' && signers(message) === undefined);
  const unregistered = await selectUnregistered(session, [...new Set(foreign.map(({ message }) => message.fid))]);
  for (const candidate of signed) {
    const { message, options } = candidate;
    const key = signers(message);
    if (key === undefined ? options.trustSigners : options.source !== 'local') continue;
    const detail =
      key === undefined
        ? `No registration of the key 0x${bareHex(message.signer)} for fid ${message.fid} is stored.`
        : signerError(message, key, now);
    if (detail === undefined) continue;
    const isStranger = key === undefined && options.source === 'local' && unregistered.has(message.fid);
    refused.set(
      candidate,
      isStranger ? unknownFid(message.fid) : { status: 'invalid', reason: 'unknown_signer', detail },
    );
  }
  return refused;
};

/** Stores when keys with a ttl signed valid messages. */
export const ingestKeyUses = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  signers: SignerLookup,
): Promise<void> => {
  const uses = new Map<string, { fid: number; key: Uint8Array; ts: number }>();
  for (const { message } of candidates) {
    const { fid, signer: key, ts } = message;
    const latest = uses.get(pairOf(fid, key))?.ts ?? ts;
    if (typeof signers(message)?.ttl === 'number') uses.set(pairOf(fid, key), { fid, key, ts: Math.max(ts, latest) });
  }
  await updateKeyUses(session, [...uses.values()]);
};

/** Sets that share one limit; links and their compact states do. */
const sharers = (set: number): number[] =>
  set === MessageSet.link || set === MessageSet.linkCompactState
    ? [MessageSet.link, MessageSet.linkCompactState]
    : [set];

/** @returns the messages of these accounts beyond their storage, in the sets with new candidates */
export const overLimit = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  network: FarcasterNetwork,
  now: number,
): Promise<MessageRow[]> => {
  const growing = candidates.filter(({ message }) => isPruned(message.messageSet));
  const storage = await selectStorage(session, [...new Set(growing.map(({ message }) => message.fid))], network, now);
  const limits = new Map<string, { fid: number; sets: number[]; limit: number }>();
  for (const { message } of growing) {
    const limit = storageLimit(message.messageSet, (storage.get(message.fid) as Storage).fillable);
    const sets = sharers(message.messageSet);
    limits.set(`${message.fid}:${sets}`, { fid: message.fid, sets, limit });
  }
  const full = await selectOverLimit(session, [...limits.values()]);
  const excess = await Promise.all(
    full.map(async ({ fid, sets, limit }) => {
      const stored = (await selectMessageSets(session, sets, [fid])).filter((row) => !row.void);
      return messagesOverLimit(stored.map(conflictCandidateOf), limit).map(({ row }) => row);
    }),
  );
  return excess.flat();
};
