import type { FarcasterNetwork } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import { isPruned, messagesOverLimit, storageLimit } from '../../protocol/storage-limit.js';
import { type MessageRow, selectMessageSets, selectOverLimit } from '../../store/protocol/message.js';
import { selectSignerKeys } from '../../store/protocol/signer-key.js';
import type { MessageCandidate } from '../candidate.js';
import type { InvalidOutcome } from '../ingest-outcome.js';
import { rejectForeignKeys } from '../kind/key-authority.js';
import { type Storage, selectStorage } from '../kind/storage.js';
import { conflictCandidateOf } from '../stored-message.js';

const pairOf = (fid: number, key: Uint8Array): string =>
  `${fid}:${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')}`;

/** Key messages (set 9) are authorized by the custody signature in the body. */
const needsSigner = ({ message }: MessageCandidate): boolean => message.message_set !== MessageSet.key;

/**
 * Rejects messages whose signer is not a key of the account, except with `trustSigners`. A removed key signs nothing new,
 * but what it signed before stays (snapchain since engine version 14), so only messages submitted to this service are
 * rejected for that: others were judged when a hub took them.
 * @returns the error of each rejected candidate
 */
export const rejectUnknownSigners = async (session: Session, candidates: readonly MessageCandidate[]) => {
  const pairs = new Map<string, { fid: number; key: Uint8Array }>();
  for (const { message } of candidates)
    pairs.set(pairOf(message.fid, message.signer), { fid: message.fid, key: message.signer });
  const known = new Map<string, boolean>();
  for (const row of await selectSignerKeys(session, [...pairs.values()]))
    known.set(pairOf(row.fid, row.key), row.active);
  const refused = new Map<MessageCandidate, InvalidOutcome>();
  for (const [candidate, detail] of await rejectForeignKeys(session, candidates)) {
    refused.set(candidate, { status: 'invalid', reason: 'bad_key', detail });
  }
  for (const candidate of candidates.filter(needsSigner)) {
    const { fid, signer } = candidate.message;
    const isActive = known.get(pairOf(fid, signer));
    const { trustSigners, source } = candidate.options;
    if (isActive === undefined ? trustSigners : isActive || source !== 'local') continue;
    const detail =
      isActive === undefined
        ? `No registration of the key 0x${bareHex(signer)} for fid ${fid} is stored.`
        : `The key 0x${bareHex(signer)} of fid ${fid} was removed.`;
    refused.set(candidate, { status: 'invalid', reason: 'unknown_signer', detail });
  }
  return refused;
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
  const growing = candidates.filter(({ message }) => isPruned(message.message_set));
  const storage = await selectStorage(session, [...new Set(growing.map(({ message }) => message.fid))], network, now);
  const limits = new Map<string, { fid: number; sets: number[]; limit: number }>();
  for (const { message } of growing) {
    const limit = storageLimit(message.message_set, (storage.get(message.fid) as Storage).fillable);
    const sets = sharers(message.message_set);
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
