import { type KeyAddBody, type KeyRemoveBody, MessageType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { toHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import { requestFidOf } from '../../protocol/eip712.js';
import { MAX_ACTIVE_KEYS } from '../../protocol/storage-limit.js';
import { selectMessageSets } from '../../store/protocol/message.js';
import { type KeyOwner, selectActiveKeyOwners } from '../../store/protocol/signer-key.js';
import type { MessageCandidate } from '../candidate.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

interface Fault {
  readonly reason: 'bad_key';
  readonly detail: string;
}

/** `KeyRemoveBody.signatureType`: removal by the custody address instead of by the key itself. */
const BY_CUSTODY = 1;

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
/** @returns the custody nonce that a message uses; 0: none */
const custodyNonce = (message: StoredMessage): number => {
  const { keyAddBody, keyRemoveBody } = decodedOf(message).data;
  if (keyAddBody) return keyAddBody.nonce;
  return keyRemoveBody?.signatureType === BY_CUSTODY ? keyRemoveBody.nonce : 0;
};

const addError = (fid: number, body: KeyAddBody, own: readonly StoredMessage[], holders: readonly KeyOwner[]) => {
  const key = toHex(body.key);
  const holder = holders.find((one) => same(one.key, body.key) && (one.isOnchain ? one.fid === fid : true));
  if (holder?.isOnchain) return `The key ${key} is registered onchain for fid ${fid}.`;
  if (holder && holder.fid !== fid) return `The key ${key} belongs to fid ${holder.fid}.`;
  if (holder && holder.request_fid !== requestFidOf(body.metadata))
    return `The key ${key} was registered for another app.`;
  const active = own.filter(({ type }) => type === MessageType.KEY_ADD).length;
  return !holder && active >= MAX_ACTIVE_KEYS
    ? `Fid ${fid} has ${MAX_ACTIVE_KEYS} keys, the most there can be.`
    : undefined;
};

const removeError = (fid: number, body: KeyRemoveBody, own: readonly StoredMessage[]) => {
  const isHeld = own.some(({ type, key }) => type === MessageType.KEY_ADD && same(key, body.key));
  return isHeld ? undefined : `The key ${toHex(body.key)} is not registered for fid ${fid} by a message.`;
};

/**
 * Rules of hubs for key messages, in addition to signatures: a key belongs to one account and one app, is not
 * registered onchain, and is removed only if it exists; custody nonces increase. They do not apply to messages from
 * hubs, which may arrive in any order. Nonces of keys that remove themselves are not checked, because such a removal is
 * possible only once.
 * @returns the error of each rejected candidate
 * @source snapchain `merge_key_add` and `merge_key_remove` (`gasless_key_merge.rs`)
 */
export const rejectKeys = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<Map<MessageCandidate, Fault>> => {
  const refused = new Map<MessageCandidate, Fault>();
  const about = candidates.filter(({ message }) => message.message_set === MessageSet.key);
  if (about.length === 0) return refused;
  const fids = [...new Set(about.map(({ message }) => message.fid))];
  const stored: StoredMessage[] = await selectMessageSets(session, [MessageSet.key], fids);
  const holders = await selectActiveKeyOwners(
    session,
    about.map(({ message }) => message.key),
  );
  for (const candidate of about) {
    const { fid } = candidate.message;
    const { keyAddBody, keyRemoveBody } = decodedOf(candidate.message).data;
    const own = stored.filter((row) => row.fid === fid);
    const nonce = custodyNonce(candidate.message);
    const last = Math.max(0, ...own.map(custodyNonce));
    const isRepeated = own.some((row) => same(row.hash, candidate.message.hash));
    if (isRepeated) continue;
    const detail =
      (keyAddBody && addError(fid, keyAddBody, own, holders)) ??
      (keyRemoveBody && removeError(fid, keyRemoveBody, own)) ??
      ((keyAddBody || keyRemoveBody?.signatureType === BY_CUSTODY) && nonce <= last
        ? `The nonce must be above ${last}, the last one of fid ${fid}.`
        : undefined);
    if (detail !== undefined) refused.set(candidate, { reason: 'bad_key', detail });
  }
  return refused;
};
