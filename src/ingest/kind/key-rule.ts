import { type KeyAddBody, type KeyRemoveBody, MessageType } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import { requestFidOf } from '../../protocol/eip712.js';
import { MAX_ACTIVE_KEYS } from '../../protocol/storage-limit.js';
import type { Session } from '../../store/database.js';
import { selectMessageSets } from '../../store/message.js';
import { type KeyHolder, selectKeyHolders } from '../../store/signer-key.js';
import type { MessageCandidate } from '../candidate.js';
import { decodedOf, type Held } from '../stored-message.js';

interface Fault {
  readonly reason: 'bad_key';
  readonly detail: string;
}

/** `KeyRemoveBody.signatureType`: the custody address removes a key, or the key removes itself. */
const BY_CUSTODY = 1;

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
const hex = (key: Uint8Array): string => `0x${Buffer.from(key).toString('hex')}`;

/** @returns the nonce that a message took from those of its account's custody address; 0: none */
const custodyNonce = (held: Held): number => {
  const { keyAddBody, keyRemoveBody } = decodedOf(held).data;
  if (keyAddBody) return keyAddBody.nonce;
  return keyRemoveBody?.signatureType === BY_CUSTODY ? keyRemoveBody.nonce : 0;
};

const addFault = (fid: number, body: KeyAddBody, own: readonly Held[], holders: readonly KeyHolder[]) => {
  const key = hex(body.key);
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

const removeFault = (fid: number, body: KeyRemoveBody, own: readonly Held[]) => {
  const isHeld = own.some(({ type, key }) => type === MessageType.KEY_ADD && same(key, body.key));
  return isHeld ? undefined : `The key ${hex(body.key)} is not registered for fid ${fid} by a message.`;
};

/**
 * What hubs ask of messages about keys beside their signatures: a key is added for one account and one app, is not
 * registered onchain, and is removed only while it is there; nonces of the custody address rise. Stored messages that
 * hubs sent are not held against these rules, because they may arrive in any order. Nonces by which keys remove
 * themselves are not checked: such a removal can come only once.
 * @returns why each candidate that fails is refused
 * @source snapchain `merge_key_add` and `merge_key_remove` (`gasless_key_merge.rs`)
 */
export const refuseKeys = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<Map<MessageCandidate, Fault>> => {
  const refused = new Map<MessageCandidate, Fault>();
  const about = candidates.filter(({ held }) => held.message_set === MessageSet.key);
  if (about.length === 0) return refused;
  const fids = [...new Set(about.map(({ held }) => held.fid))];
  const stored: Held[] = await selectMessageSets(session, [MessageSet.key], fids);
  const holders = await selectKeyHolders(
    session,
    about.map(({ held }) => held.key),
  );
  for (const candidate of about) {
    const { fid } = candidate.held;
    const { keyAddBody, keyRemoveBody } = decodedOf(candidate.held).data;
    const own = stored.filter((row) => row.fid === fid);
    const nonce = custodyNonce(candidate.held);
    const last = Math.max(0, ...own.map(custodyNonce));
    const isRepeated = own.some((row) => same(row.hash, candidate.held.hash));
    if (isRepeated) continue;
    const detail =
      (keyAddBody && addFault(fid, keyAddBody, own, holders)) ??
      (keyRemoveBody && removeFault(fid, keyRemoveBody, own)) ??
      ((keyAddBody || keyRemoveBody?.signatureType === BY_CUSTODY) && nonce <= last
        ? `The nonce must be above ${last}, the last one of fid ${fid}.`
        : undefined);
    if (detail !== undefined) refused.set(candidate, { reason: 'bad_key', detail });
  }
  return refused;
};
