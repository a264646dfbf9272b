import { UserDataType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { MessageSet } from '../../protocol/conflict.js';
import { encodeVarint } from '../../protocol/wire/wire.js';
import { type MessageRow, selectMessages } from '../../store/protocol/message.js';
import { storable } from '../../store/protocol/text.js';
import { selectForeignClaims, selectLostClaims } from '../../store/protocol/username-proof.js';
import { isFromHub, type MessageCandidate } from '../candidate.js';
import type { InvalidOutcome } from '../ingest-outcome.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

/** @returns the name that user data claims; undefined for other messages, and for an empty name */
export const claimedNameOf = (message: StoredMessage): string | undefined => {
  const body = decodedOf(message).data.userDataBody;
  return body?.type === UserDataType.USERNAME && body.value !== '' ? body.value : undefined;
};

/**
 * Rejects names that the registry gave to another account, for files and the like: hubs check what they send, and
 * submissions need a proof. A name without any proof may be claimed, because files often lack proofs.
 * @returns the error of each rejected candidate
 */
export const rejectForeignNames = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<Map<MessageCandidate, InvalidOutcome>> => {
  const claims = candidates.flatMap((candidate) => {
    const name = isFromHub(candidate) ? undefined : claimedNameOf(candidate.message);
    return name === undefined ? [] : [{ candidate, fid: candidate.message.fid, name: storable(name) }];
  });
  const refused = new Map<MessageCandidate, InvalidOutcome>();
  if (claims.length === 0) return refused;
  const keyOf = ({ fid, name }: { fid: number; name: string }): string => `${fid} ${name}`;
  const foreign = new Set((await selectForeignClaims(session, claims)).map(keyOf));
  for (const { candidate, ...claim } of claims) {
    if (!foreign.has(keyOf(claim))) continue;
    const detail = `The name ${claim.name} does not belong to fid ${claim.fid}.`;
    refused.set(candidate, { status: 'invalid', reason: 'unknown_name', detail });
  }
  return refused;
};

/**
 * @param names with changed proofs
 * @returns the user data by which former owners claim a name that the registry gave to another account, or to none
 * @source snapchain 0.14.2, `replay_snapchain_txn` (`engine.rs`): it revokes whatever name the former owner claims; here
 *   only the one that moved, so that the result does not depend on the order
 */
export const lostNames = async (session: Session, names: readonly string[]): Promise<MessageRow[]> => {
  const fids = await selectLostClaims(session, names);
  if (fids.length === 0) return [];
  const key = encodeVarint(UserDataType.USERNAME);
  return selectMessages(
    session,
    fids.map((fid) => ({ fid, messageSet: MessageSet.userData, key })),
  );
};
