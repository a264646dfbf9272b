import {
  IdRegisterEventType,
  type KeyAddBody,
  type KeyRemoveBody,
  MessageType,
  OnChainEventType,
} from '@farcaster/core';
import { equalBytes } from '../../bytes.js';
import type { Session } from '../../db/statement.js';
import { BY_CUSTODY, MessageSet } from '../../protocol/conflict.js';
import { readSignedKeyRequest, recoverKeyAdd, recoverKeyRemove } from '../../protocol/eip712.js';
import { selectCustodyAddresses } from '../../store/protocol/account.js';
import type { MessageCandidate } from '../candidate.js';
import { decodedOf } from '../stored-message.js';
import { eventsByFid } from './stored-onchain-event.js';

/** A body's claim of the custody address of a fid. */
interface Claim {
  readonly fid: number;
  readonly address: Uint8Array | undefined;
  /** What was signed, for the error message. */
  readonly what: 'the key' | 'the request of the app' | 'the removal';
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

/** @returns by fid, all addresses that ever had the custody of the account, by its stored registrations */
const custodyHistory = async (session: Session, fids: readonly number[]): Promise<Map<number, Uint8Array[]>> => {
  const events = await eventsByFid(session, [OnChainEventType.EVENT_TYPE_ID_REGISTER], fids);
  return new Map(
    Array.from(events, ([fid, own]) => [
      fid,
      own.flatMap(({ idRegisterEventBody: body }) =>
        body && body.eventType !== IdRegisterEventType.CHANGE_RECOVERY ? [body.to] : [],
      ),
    ]),
  );
};

/**
 * Checks custody signatures of messages that register or remove keys against the stored registrations. A submitted
 * message needs the signatures of today's custody addresses. Others were checked by the hub that accepted them: any custody
 * address of the account's history may have signed them, and the account of the app may be unknown here.
 * @returns the error of each rejected candidate
 * @source snapchain 0.14.2, `merge_key_add` and `merge_key_remove` (`gasless_key_merge.rs`); it ignores the app's account
 *   altogether where it repeats what was merged
 */
export const rejectForeignKeys = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<Map<MessageCandidate, string>> => {
  const refused = new Map<MessageCandidate, string>();
  const claims = candidates
    .filter(({ message }) => message.messageSet === MessageSet.key)
    .map((candidate) => ({ candidate, claims: claimsOf(candidate) }));
  if (claims.length === 0) return refused;
  const fids = [...new Set(claims.flatMap((one) => one.claims.map(({ fid }) => fid)))];
  const custody = new Map((await selectCustodyAddresses(session, fids)).map((row) => [row.fid, [row.custodyAddress]]));
  const history = await custodyHistory(session, fids);

  const isGenuine = ({ fid, address, what }: Claim, { options }: MessageCandidate): boolean => {
    const isSubmission = options.source === 'local';
    const allowed: readonly Uint8Array[] | undefined = (isSubmission ? custody : history).get(fid);
    if (allowed === undefined && what === 'the request of the app') return !isSubmission;
    return address !== undefined && (allowed ?? []).some((one) => equalBytes(one, address));
  };
  for (const { candidate, claims: own } of claims) {
    const bad = own.find((claim) => !isGenuine(claim, candidate));
    if (bad) refused.set(candidate, `The custody address of fid ${bad.fid} did not sign ${bad.what}.`);
  }
  return refused;
};
