import type { FarcasterNetwork } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import { isPruned, messagesOverLimit, storageLimit } from '../../protocol/storage-limit.js';
import type { Session } from '../../store/database.js';
import { type MessageRow, selectMessageSets, selectOverfull } from '../../store/message.js';
import { selectSignerKeys } from '../../store/signer-key.js';
import type { MessageCandidate } from '../candidate.js';
import { contenderOf } from '../stored-message.js';
import { refuseForeignKeys } from '../kind/key-authority.js';
import type { Outcome } from '../ingest-outcome.js';
import { type Storage, selectStorage } from '../kind/storage.js';

type Refused = Extract<Outcome, { status: 'invalid' }>;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const pairOf = (fid: number, key: Uint8Array): string =>
  `${fid}:${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')}`;

/** Set 9 carries its own authority: the custody address signed inside the body. */
const needsSigner = ({ held }: MessageCandidate): boolean => held.message_set !== MessageSet.key;

/**
 * Who may not sign what they signed. A key must be registered and not taken back; with `trustSigners` a key that no
 * stored event speaks of is believed, one that was taken back is not.
 * @returns the refusal of each candidate that is refused.
 */
export const refuseUnknownSigners = async (session: Session, candidates: readonly MessageCandidate[]) => {
  const pairs = new Map<string, { fid: number; key: Uint8Array }>();
  for (const { held } of candidates) pairs.set(pairOf(held.fid, held.signer), { fid: held.fid, key: held.signer });
  const known = new Map<string, boolean>();
  for (const row of await selectSignerKeys(session, [...pairs.values()]))
    known.set(pairOf(row.fid, row.key), row.active);
  const refused = new Map<MessageCandidate, Refused>();
  for (const [candidate, detail] of await refuseForeignKeys(session, candidates)) {
    refused.set(candidate, { status: 'invalid', reason: 'bad_key', detail });
  }
  for (const candidate of candidates.filter(needsSigner)) {
    const { fid, signer } = candidate.held;
    const active = known.get(pairOf(fid, signer)) ?? (candidate.options.trustSigners ? true : undefined);
    if (active) continue;
    const detail =
      active === undefined
        ? `No registration of the key 0x${hex(signer)} for fid ${fid} is stored.`
        : `The key 0x${hex(signer)} of fid ${fid} was removed.`;
    refused.set(candidate, { status: 'invalid', reason: 'unknown_signer', detail });
  }
  return refused;
};

/** Sets that fill one limit together; links and their compact states do. */
const sharers = (set: number): number[] =>
  set === MessageSet.link || set === MessageSet.linkCompactState
    ? [MessageSet.link, MessageSet.linkCompactState]
    : [set];

/** @returns the messages that these accounts hold beyond their storage, in the sets that the candidates added to. */
export const overLimit = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  network: FarcasterNetwork,
  now: number,
): Promise<MessageRow[]> => {
  const growing = candidates.filter(({ held }) => isPruned(held.message_set));
  const storage = await selectStorage(session, [...new Set(growing.map(({ held }) => held.fid))], network, now);
  const places = new Map<string, { fid: number; sets: number[]; limit: number }>();
  for (const { held } of growing) {
    const limit = storageLimit(held.message_set, (storage.get(held.fid) as Storage).fillable);
    const sets = sharers(held.message_set);
    places.set(`${held.fid}:${sets}`, { fid: held.fid, sets, limit });
  }
  const full = await selectOverfull(session, [...places.values()]);
  const excess = await Promise.all(
    full.map(async ({ fid, sets, limit }) => {
      const held = (await selectMessageSets(session, sets, [fid])).filter((row) => !row.void);
      return messagesOverLimit(held.map(contenderOf), limit).map(({ row }) => row);
    }),
  );
  return excess.flat();
};
