import { MessageType, Protocol, UserDataType } from '@farcaster/core';
import { bareHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import type { Candidate } from '../candidate.js';
import { keyNonceOf } from '../kind/key-nonce.js';
import { addressKeyOf, primaryAddressOf } from '../kind/primary-address.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

/** Names of stored state that decides about other submissions. */
interface Dependency {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const account = (fid: number): string => `account ${fid}`;
const nameOf = (name: Uint8Array | string): string => `name ${Buffer.from(name).toString('utf8')}`;

/** The nonce of a key that removes itself is that of its app, which only the stored registration names. */
const APP_NONCE = 'nonces of apps';

/** Types of user data whose value must belong to the account. */
const NEEDS_PROOF = new Set<UserDataType>([
  UserDataType.USERNAME,
  UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM,
  UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA,
]);

/** Every message reads whether its account has storage and its key may sign. */
const dependencyOf = (message: StoredMessage): Dependency => {
  const { lendStorageBody, usernameProofBody, userDataBody } = decodedOf(message).data;
  const own = account(message.fid);
  if (message.type === MessageType.LEND_STORAGE && lendStorageBody)
    return { reads: [], writes: [own, account(lendStorageBody.toFid)] };
  const nonce = keyNonceOf(message);
  if (nonce)
    return { reads: [], writes: [own, `key ${bareHex(message.key)}`, ...(nonce.byCustody ? [] : [APP_NONCE])] };
  if (message.messageSet === MessageSet.verification) {
    const verified = { fid: message.fid, protocol: message.subtype, address: message.key };
    return { reads: [own], writes: [addressKeyOf(verified)] };
  }
  if (usernameProofBody) {
    const owner = { fid: message.fid, protocol: Protocol.ETHEREUM, address: usernameProofBody.owner };
    return { reads: [own, addressKeyOf(owner)], writes: [nameOf(usernameProofBody.name)] };
  }
  if (!userDataBody || !NEEDS_PROOF.has(userDataBody.type)) return { reads: [own], writes: [] };
  const { type, value } = userDataBody;
  const primary = primaryAddressOf(message);
  const proof = primary ? addressKeyOf(primary) : nameOf(value);
  // The next one of this type waits for this one, so that the log of events has both.
  return { reads: [own, proof], writes: [`user data ${type} of ${own}`] };
};

/**
 * Divides submissions into rounds, so that each finds what the earlier ones stored that decide about it, as on a hub,
 * which takes them one by one. Those of a round do not depend on each other, so the rules look at the stored state once
 * for all of them.
 * @param candidates in the order of their arrival
 */
export const roundsOf = (candidates: readonly Candidate[]): Candidate[][] => {
  const rounds: Candidate[][] = [];
  const [read, written] = [new Map<string, number>(), new Map<string, number>()];
  for (const candidate of candidates) {
    const { reads, writes } =
      candidate.kind === 'message' ? dependencyOf(candidate.message) : { reads: [], writes: [] };
    const after = [...reads, ...writes].map((state) => (written.get(state) ?? -1) + 1);
    const round = Math.max(0, ...after, ...writes.map((state) => read.get(state) ?? 0));
    for (const state of reads) read.set(state, Math.max(round, read.get(state) ?? 0));
    for (const state of writes) written.set(state, round);
    const own = rounds[round] ?? [];
    own.push(candidate);
    rounds[round] = own;
  }
  return rounds;
};
