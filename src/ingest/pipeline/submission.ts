import { FarcasterNetwork, type LendStorageBody, MessageType, ReactionType, UserDataType } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import { isPruned, storageLimit } from '../../protocol/storage-limit.js';
import type { Session } from '../../store/database.js';
import { type HeldSet, selectHeldSets } from '../../store/message.js';
import { selectNameOwners } from '../../store/username-proof.js';
import type { MessageCandidate } from '../candidate.js';
import { decodedOf } from '../stored-message.js';
import { refuseKeys } from '../kind/key-rule.js';
import type { Outcome } from '../ingest-outcome.js';
import { type Storage, selectStorage } from '../kind/storage.js';

type Refused = Extract<Outcome, { status: 'invalid' }>;
type Fault = Pick<Refused, 'reason' | 'detail'>;

/** Units that an account of the public network must have rented to lend any (snapchain `block_engine.rs`). */
const MIN_RENTED_TO_LEND = 1000;

/** What lending asks of the lender: enough units, of which one stays with the lender. */
const lendingFault = (
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

/** Sets whose messages are refused, not pruned, when there is no room. */
const FIXED_SETS = [MessageSet.storageLending, MessageSet.key];

const named = ({ held }: MessageCandidate): string[] => {
  const body = decodedOf(held).data.userDataBody;
  return body?.type === UserDataType.USERNAME && body.value !== '' ? [body.value] : [];
};

/**
 * What a hub would refuse beyond signatures and signers, for messages that are submitted to this service as their hub:
 * an account without storage, a kind that the engine does not store, a name that is not the account's, a removal of a key
 * that was not added.
 * @param now Unix milliseconds
 * @source `validate_user_message` and `merge_message` of snapchain's `engine.rs` and `block_engine.rs`, version 20
 */
export const refuseAsHub = async (
  session: Session,
  candidates: readonly MessageCandidate[],
  network: FarcasterNetwork,
  now: number,
): Promise<Map<MessageCandidate, Refused>> => {
  const fids = [...new Set(candidates.map(({ held }) => held.fid))];
  const storage = await selectStorage(session, fids, network, now);
  const owners = await selectNameOwners(session, candidates.flatMap(named));
  const fixed = candidates.filter(({ held }) => !isPruned(held.message_set));
  const sets = fixed.length === 0 ? [] : await selectHeldSets(session, fids, FIXED_SETS);
  const keys = await refuseKeys(session, candidates);

  const faultOf = (candidate: MessageCandidate): Fault | undefined => {
    const { held } = candidate;
    const { lendStorageBody, reactionBody } = decodedOf(held).data;
    const own = storage.get(held.fid) as Storage;
    if (held.type === MessageType.FRAME_ACTION)
      return { reason: 'not_storable', detail: 'Frame actions are answered, not stored.' };
    if (held.message_set === MessageSet.unknown)
      return { reason: 'not_storable', detail: `Hubs store no messages of type ${held.type}.` };
    if (reactionBody?.type === ReactionType.NONE)
      return { reason: 'bad_reaction', detail: 'reactionBody.type must be 1 (like) or 2 (recast).' };
    const limit = storageLimit(held.message_set, own.fillable);
    if (limit === 0) return { reason: 'no_storage', detail: `Fid ${held.fid} has no storage: rent a unit first.` };
    if (isFull(held, limit, sets))
      return { reason: 'no_storage', detail: `Fid ${held.fid} has no room for more than ${limit} such messages.` };
    if (lendStorageBody) return lendingFault(lendStorageBody, own, network);
    const [name] = named(candidate);
    if (name !== undefined && owners.get(name) !== held.fid) {
      const detail = `No proof that the name ${name} belongs to fid ${held.fid} is stored.`;
      return { reason: 'unknown_name', detail };
    }
    return keys.get(candidate);
  };

  const refused = new Map<MessageCandidate, Refused>();
  for (const candidate of candidates) {
    const fault = faultOf(candidate);
    if (fault !== undefined) refused.set(candidate, { status: 'invalid', ...fault });
  }
  return refused;
};

/** A message that takes the place of a stored one needs no room. */
const isFull = (held: MessageCandidate['held'], limit: number, sets: readonly HeldSet[]): boolean => {
  const set = sets.find((one) => one.fid === held.fid && one.message_set === held.message_set);
  return set !== undefined && set.keys.length >= limit && !set.keys.some((key) => Buffer.compare(key, held.key) === 0);
};
