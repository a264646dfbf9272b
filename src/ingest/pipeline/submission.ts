import { FarcasterNetwork, type LendStorageBody, MessageType, Protocol, ReactionType } from '@farcaster/core';
import { equalBytes } from '../../bytes.js';
import type { Session } from '../../db/statement.js';
import { toHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import { storageLimit } from '../../protocol/storage-limit.js';
import { selectCustodyAddresses } from '../../store/protocol/account.js';
import { type StoredConflictKeys, selectStoredConflictKeys } from '../../store/protocol/message.js';
import { selectProofsOfNames, type UsernameProofRow } from '../../store/protocol/username-proof.js';
import { selectVerifications } from '../../store/protocol/verification.js';
import type { MessageCandidate } from '../candidate.js';
import type { InvalidOutcome } from '../ingest-outcome.js';
import { rejectKeys } from '../kind/key-rule.js';
import { addressKeyOf } from '../kind/primary-address.js';
import { type Storage, selectStorage } from '../kind/storage.js';
import { claimedNameOf } from '../kind/username.js';
import { decodedOf } from '../stored-message.js';
import { unknownFid } from './account-authority.js';

type Fault = Pick<InvalidOutcome, 'reason' | 'detail'>;

/** Units that an account of the public network must have rented to lend any (snapchain `block_engine.rs`). */
const MIN_RENTED_TO_LEND = 1000;

/** The lender must have enough units and keep one. */
const lendingError = (
  { toFid, numUnits, unitType }: LendStorageBody,
  { rented, lendable }: Storage,
  network: FarcasterNetwork,
): Fault | undefined => {
  if (network === FarcasterNetwork.MAINNET && rented[unitType] < MIN_RENTED_TO_LEND) {
    const detail = `Only accounts that rented ${MIN_RENTED_TO_LEND} units of a type lend them.`;
    return { reason: 'no_storage', detail };
  }
  if (lendable[unitType] > numUnits) return undefined;
  const detail = `${numUnits} units for fid ${toFid} are more than can be lent: ${lendable[unitType]} are left, and one stays.`;
  return { reason: 'no_storage', detail };
};

/**
 * What a hub rejects beyond signatures and signers, for messages that are submitted to this service as their hub: an
 * account without registration or storage, an unknown type, a name of another account, a removal of a key that does not exist.
 * @param now Unix milliseconds
 * @source `validate_user_message` and `merge_message` of snapchain's `engine.rs` and `block_engine.rs`, version 20
 */
export const rejectAsHub = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  network: FarcasterNetwork,
  now: number,
): Promise<Map<MessageCandidate, InvalidOutcome>> => {
  const fids = [...new Set(candidates.map(({ message }) => message.fid))];
  const storage = await selectStorage(session, fids, network, now);
  const registered = new Set((await selectCustodyAddresses(session, fids)).map(({ fid }) => fid));
  const proofs = await selectProofsOfNames(
    session,
    candidates.flatMap(({ message }) => claimedNameOf(message) ?? []),
  );
  const owners = new Map(proofs.map(({ name, fid }) => [name, fid]));
  const foreign = await foreignDomainNames(session, candidates, proofs);
  const hasKeys = candidates.some(({ message }) => message.messageSet === MessageSet.key);
  const sets = hasKeys ? await selectStoredConflictKeys(session, fids, [MessageSet.key]) : [];
  const keys = await rejectKeys(session, candidates);

  const errorOf = (candidate: MessageCandidate): Fault | undefined => {
    const { message } = candidate;
    const { lendStorageBody, reactionBody } = decodedOf(message).data;
    const own = storage.get(message.fid) as Storage;
    if (!registered.has(message.fid)) return unknownFid(message.fid);
    if (message.type === MessageType.FRAME_ACTION)
      return { reason: 'not_storable', detail: 'Frame actions are answered, not stored.' };
    if (message.messageSet === MessageSet.unknown)
      return { reason: 'not_storable', detail: `Hubs store no messages of type ${message.type}.` };
    if (reactionBody?.type === ReactionType.NONE)
      return { reason: 'bad_reaction', detail: 'reactionBody.type must be 1 (like) or 2 (recast).' };
    const limit = storageLimit(message.messageSet, own.fillable);
    if (limit === 0) return { reason: 'no_storage', detail: `Fid ${message.fid} has no storage: rent a unit first.` };
    if (isFull(message, limit, sets))
      return { reason: 'no_storage', detail: `Fid ${message.fid} has no room for more than ${limit} such messages.` };
    if (lendStorageBody) return lendingError(lendStorageBody, own, network);
    const name = claimedNameOf(message);
    if (name !== undefined && owners.get(name) !== message.fid) {
      const detail = `No proof that the name ${name} belongs to fid ${message.fid} is stored.`;
      return { reason: 'unknown_name', detail };
    }
    if (foreign.has(candidate)) return foreign.get(candidate);
    return keys.get(candidate);
  };

  const refused = new Map<MessageCandidate, InvalidOutcome>();
  for (const candidate of candidates) {
    const fault = errorOf(candidate);
    if (fault !== undefined) refused.set(candidate, { status: 'invalid', ...fault });
  }
  return refused;
};

/**
 * The owner of an ENS name or a Basename must be the custody address of the account or verified by it, when it proves the
 * name and when it takes it as its username.
 * @param stored proofs of the names that become usernames
 * @returns the faults of the candidates with other owners
 * @source snapchain 0.14.2, `validate_ens_username_proof` (`server.rs`)
 */
const foreignDomainNames = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  stored: readonly UsernameProofRow[],
): Promise<Map<MessageCandidate, Fault>> => {
  const proven = candidates.flatMap((candidate) => {
    const proof = decodedOf(candidate.message).data.usernameProofBody;
    const claimed = claimedNameOf(candidate.message);
    const owner = proof?.owner ?? (claimed?.endsWith('.eth') && stored.find(({ name }) => name === claimed)?.owner);
    return owner ? [{ candidate, fid: candidate.message.fid, protocol: Protocol.ETHEREUM, address: owner }] : [];
  });
  const fids = [...new Set(proven.map(({ fid }) => fid))];
  const custody = (await selectCustodyAddresses(session, fids)).map(({ fid, custodyAddress: address }) =>
    addressKeyOf({ fid, protocol: Protocol.ETHEREUM, address }),
  );
  const own = new Set([...custody, ...(await selectVerifications(session, proven)).map(addressKeyOf)]);
  const faults = new Map<MessageCandidate, Fault>();
  for (const { candidate, ...address } of proven) {
    if (own.has(addressKeyOf(address))) continue;
    const detail = `The owner ${toHex(address.address)} of the name is neither the custody address nor a verified address of fid ${address.fid}.`;
    faults.set(candidate, { reason: 'unverified_address', detail });
  }
  return faults;
};

/**
 * Keys are not pruned. Loans are not either, but hubs count only the units that they take. A message that replaces a
 * stored one needs no further storage.
 */
const isFull = (message: MessageCandidate['message'], limit: number, sets: readonly StoredConflictKeys[]): boolean => {
  const set = sets.find((one) => one.fid === message.fid && one.messageSet === message.messageSet);
  return set !== undefined && set.keys.length >= limit && !set.keys.some((key) => equalBytes(key, message.key));
};
