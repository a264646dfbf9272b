import {
  type FarcasterNetwork,
  MessageType,
  OnChainEvent,
  OnChainEventType,
  ReactionType,
  UserDataType,
} from '@farcaster/core';
import { MessageSet } from '../protocol/conflict.js';
import { activeUnits, messagesOverLimit, type StorageUnits, storageLimit } from '../protocol/storage-limit.js';
import type { Session } from '../store/database.js';
import { type MessageRow, selectMessageSets, selectOverfull } from '../store/message.js';
import { selectOnchainEvents } from '../store/onchain-event.js';
import { selectSignerKeys } from '../store/signer-key.js';
import { selectLendingMessages } from '../store/storage.js';
import { selectNameOwners } from '../store/username-proof.js';
import type { MessageCandidate } from './candidate.js';
import { contenderOf, decodedOf } from './held.js';
import { refuseForeignKeys } from './key-authority.js';
import type { Outcome } from './outcome.js';

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

/** @returns the units of storage each of these accounts can fill now. */
const selectStorageUnits = async (
  session: Session,
  fids: readonly number[],
  network: FarcasterNetwork,
  now: number,
): Promise<Map<number, StorageUnits>> => {
  const events = await selectOnchainEvents(session, [OnChainEventType.EVENT_TYPE_STORAGE_RENT], fids);
  const loans = (await selectLendingMessages(session, fids)).flatMap((row) => {
    const body = decodedOf(row).data.lendStorageBody;
    return body ? [{ from: row.fid, body }] : [];
  });
  return new Map(
    fids.map((fid) => [
      fid,
      activeUnits(
        {
          events: events.filter((event) => event.fid === fid).map((event) => OnChainEvent.decode(event.body)),
          lent: loans.filter((loan) => loan.from === fid).map((loan) => loan.body),
          borrowed: loans.filter((loan) => loan.body.toFid === fid).map((loan) => loan.body),
        },
        network,
        now,
      ),
    ]),
  );
};

/**
 * What a hub would refuse beyond signatures and signers, for messages that are submitted to this service as their hub:
 * an account without storage, a kind that hubs do not store, a name that is not the account's.
 */
export const refuseAsHub = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  network: FarcasterNetwork,
  now: number,
) => {
  const refused = new Map<MessageCandidate, Refused>();
  const refuse = (candidate: MessageCandidate, reason: Refused['reason'], detail: string) =>
    refused.set(candidate, { status: 'invalid', reason, detail });
  const fids = [...new Set(candidates.map(({ held }) => held.fid))];
  const units = await selectStorageUnits(session, fids, network, now);
  const names = candidates.flatMap(({ held }) => {
    const body = decodedOf(held).data.userDataBody;
    return body?.type === UserDataType.USERNAME && body.value !== '' ? [body.value] : [];
  });
  const owners = await selectNameOwners(session, names);
  for (const candidate of candidates) {
    const { held } = candidate;
    const limit = storageLimit(held.message_set, units.get(held.fid) as StorageUnits);
    const { userDataBody: body, reactionBody } = decodedOf(held).data;
    if (held.type === MessageType.FRAME_ACTION)
      refuse(candidate, 'not_storable', 'Frame actions are answered, not stored.');
    else if (reactionBody?.type === ReactionType.NONE)
      refuse(candidate, 'bad_reaction', 'reactionBody.type must be 1 (like) or 2 (recast).');
    else if (limit === 0) refuse(candidate, 'no_storage', `Fid ${held.fid} has no storage: rent a unit first.`);
    else if (body?.type === UserDataType.USERNAME && body.value !== '' && owners.get(body.value) !== held.fid)
      refuse(candidate, 'unknown_name', `No proof that the name ${body.value} belongs to fid ${held.fid} is stored.`);
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
  const units = await selectStorageUnits(session, [...new Set(candidates.map(({ held }) => held.fid))], network, now);
  const places = new Map<string, { fid: number; sets: number[]; limit: number }>();
  for (const { held } of candidates) {
    const limit = storageLimit(held.message_set, units.get(held.fid) as StorageUnits);
    const sets = sharers(held.message_set);
    if (limit !== undefined) places.set(`${held.fid}:${sets}`, { fid: held.fid, sets, limit });
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
