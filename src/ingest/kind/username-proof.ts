import { MessageType, type UserNameProof } from '@farcaster/core';
import { proofBeats } from '../../protocol/conflict.js';
import type { Session } from '../../store/database.js';
import { storable } from '../../store/text.js';
import { deleteUsernameProofs, type UsernameProofRow, upsertUsernameProofs } from '../../store/username-proof.js';
import { decodedOf, type Held } from '../stored-message.js';
import type { Transition } from '../merge.js';

const proofName = (proof: UserNameProof): string => storable(Buffer.from(proof.name).toString('utf8'));

const proofRow = (proof: UserNameProof, messageHash: Uint8Array | null): UsernameProofRow => ({
  name: proofName(proof),
  fid: proof.fid,
  type: proof.type,
  owner: proof.owner,
  signature: proof.signature,
  timestamp: proof.timestamp,
  message_hash: messageHash,
});

const heldProof = (held: Held | undefined): UsernameProofRow[] => {
  if (held?.type !== MessageType.USERNAME_PROOF) return [];
  const proof = decodedOf(held).data.usernameProofBody;
  return proof ? [proofRow({ ...proof, fid: held.fid }, held.hash)] : [];
};

/** One row for each name and fid: the later proof. */
const latest = (rows: readonly UsernameProofRow[]): UsernameProofRow[] => {
  const byPlace = new Map<string, UsernameProofRow>();
  for (const row of rows) {
    const place = `${row.fid}:${row.name}`;
    const other = byPlace.get(place);
    if (!other || proofBeats(row, other)) byPlace.set(place, row);
  }
  return [...byPlace.values()];
};

/**
 * Proofs of names, from the name registry or in messages.
 * @returns the names whose proofs changed, for `updateUsernames`.
 */
export const ingestUsernameProofs = async (
  session: Session,
  proofs: readonly UserNameProof[],
  transitions: readonly Transition[],
): Promise<string[]> => {
  const gone = transitions.flatMap(({ before }) => heldProof(before));
  const come = transitions.flatMap(({ after }) => heldProof(after));
  const lost = await deleteUsernameProofs(
    session,
    gone.flatMap(({ name, fid, message_hash }) => (message_hash ? [{ name, fid, message_hash }] : [])),
  );
  const won = await upsertUsernameProofs(session, latest([...come, ...proofs.map((proof) => proofRow(proof, null))]));
  return [...new Set([...lost, ...won])];
};
