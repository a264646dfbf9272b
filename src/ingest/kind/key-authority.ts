import { type KeyAddBody, type KeyRemoveBody, MessageType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { MessageSet } from '../../protocol/conflict.js';
import { readSignedKeyRequest, recoverKeyAdd, recoverKeyRemove } from '../../protocol/eip712.js';
import { selectCustodyAddresses } from '../../store/protocol/account.js';
import type { MessageCandidate } from '../candidate.js';
import { decodedOf } from '../stored-message.js';
import { BY_CUSTODY } from './key-nonce.js';

/** A body's claim of the custody address of a fid. */
interface Claim {
  readonly fid: number;
  readonly address: Uint8Array | undefined;
  /** What was signed, for the error message. */
  readonly what: string;
}

const addClaims = (fid: number, body: KeyAddBody): Claim[] => {
  const request = readSignedKeyRequest(body);
  return [
    { fid, address: recoverKeyAdd(fid, body), what: 'the key' },
    { fid: Number(request?.requestFid ?? 0), address: request?.requestSigner, what: 'the request of the app' },
  ];
};

const removeClaims = (fid: number, body: KeyRemoveBody): Claim[] =>
  body.signatureType === BY_CUSTODY ? [{ fid, address: recoverKeyRemove(fid, body), what: 'the removal' }] : [];

const claimsOf = ({ message }: MessageCandidate): Claim[] => {
  const { keyAddBody, keyRemoveBody } = decodedOf(message).data;
  if (message.type === MessageType.KEY_ADD && keyAddBody) return addClaims(message.fid, keyAddBody);
  return keyRemoveBody ? removeClaims(message.fid, keyRemoveBody) : [];
};

/**
 * Checks custody signatures of messages that register or revoke keys against the stored registrations.
 * @returns the error of each rejected candidate
 */
export const rejectForeignKeys = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<Map<MessageCandidate, string>> => {
  const claims = candidates
    .filter(({ message }) => message.message_set === MessageSet.key)
    .map((candidate) => ({ candidate, claims: claimsOf(candidate) }));
  const fids = [...new Set(claims.flatMap((one) => one.claims.map(({ fid }) => fid)))];
  const custody = new Map((await selectCustodyAddresses(session, fids)).map((row) => [row.fid, row.custody_address]));
  const refused = new Map<MessageCandidate, string>();
  for (const { candidate, claims: own } of claims) {
    const bad = own.find(({ fid, address }) => !address || !custody.get(fid)?.equals(address));
    if (bad) refused.set(candidate, `The custody address of fid ${bad.fid} did not sign ${bad.what}.`);
  }
  return refused;
};
