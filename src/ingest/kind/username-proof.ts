import { MessageType, type UserNameProof } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { proofSupersedes } from '../../protocol/conflict.js';
import { storable } from '../../store/protocol/text.js';
import {
  deleteRegistryProofs,
  deleteUsernameProofs,
  selectProofsOfNames,
  type UsernameProofRow,
  upsertUsernameProofs,
} from '../../store/protocol/username-proof.js';
import type { MessageCandidate } from '../candidate.js';
import type { Transition } from '../merge.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

const proofName = (proof: UserNameProof): string => storable(Buffer.from(proof.name).toString('utf8'));

const proofRow = (proof: UserNameProof, messageHash: Uint8Array | null): UsernameProofRow => ({
  name: proofName(proof),
  fid: proof.fid,
  type: proof.type,
  owner: proof.owner,
  signature: proof.signature,
  timestamp: proof.timestamp,
  messageHash,
});

const storedProof = (message: StoredMessage | undefined): UsernameProofRow[] => {
  if (message?.type !== MessageType.USERNAME_PROOF) return [];
  const proof = decodedOf(message).data.usernameProofBody;
  return proof ? [proofRow(proof, message.hash)] : [];
};

/** The latest proof of each name. */
const latest = (rows: readonly UsernameProofRow[]): UsernameProofRow[] => {
  const byName = new Map<string, UsernameProofRow>();
  for (const row of rows) {
    const other = byName.get(row.name);
    if (!other || proofSupersedes(row, other)) byName.set(row.name, row);
  }
  return [...byName.values()];
};

/**
 * A sync gets proofs without their messages, so messages do not find all proofs that they conflict with.
 * @returns the messages with a proof that is older than a stored one that came without a message
 */
export const supersededProofs = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<Set<MessageCandidate>> => {
  const offered = candidates.flatMap((candidate) =>
    storedProof(candidate.message).map((proof) => ({ candidate, proof })),
  );
  const rows = await selectProofsOfNames(
    session,
    offered.map(({ proof }) => proof.name),
  );
  const stored = new Map(rows.filter((row) => row.messageHash === null).map((row) => [row.name, row]));
  const isSuperseded = ({ proof }: (typeof offered)[number]): boolean => {
    const other = stored.get(proof.name);
    return other !== undefined && proofSupersedes(other, proof);
  };
  return new Set(offered.filter(isSuperseded).map(({ candidate }) => candidate));
};

/**
 * Stores proofs of names from the name registry or from messages.
 * @returns the names whose proofs changed, for `updateUsernames`
 */
export const ingestUsernameProofs = async (
  session: Session,
  proofs: readonly UserNameProof[],
  transitions: readonly Transition[],
): Promise<string[]> => {
  const removed = transitions.flatMap(({ before }) => storedProof(before));
  const added = transitions.flatMap(({ after }) => storedProof(after));
  const deleted = await deleteUsernameProofs(
    session,
    removed.flatMap(({ name, fid, messageHash }) => (messageHash ? [{ name, fid, messageHash }] : [])),
  );
  const upserted = await upsertUsernameProofs(
    session,
    latest([...added, ...proofs.map((proof) => proofRow(proof, null))]),
  );
  return [...new Set([...deleted, ...upserted])];
};

/**
 * Deletes proofs that a hub does not have any more: the name was given to an account that this store does not have, or to
 * none.
 * @returns the names whose proofs changed
 */
export const removeUsernameProofs = (session: Session, proofs: readonly UserNameProof[]): Promise<string[]> =>
  deleteRegistryProofs(
    session,
    proofs.map((proof) => proofRow(proof, null)),
  );
