import { type KeyAddBody, type KeyRemoveBody, MessageType } from '@farcaster/core';
import { equalBytes } from '../../bytes.js';
import type { Session } from '../../db/statement.js';
import { toHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import { requestFidOf } from '../../protocol/eip712.js';
import { MAX_ACTIVE_KEYS } from '../../protocol/storage-limit.js';
import { type KeyNonceRow, selectAppNonces, selectCustodyNonces } from '../../store/protocol/key-nonce.js';
import { selectMessageSets } from '../../store/protocol/message.js';
import { type KeyOwner, selectActiveKeyOwners } from '../../store/protocol/signer-key.js';
import type { MessageCandidate } from '../candidate.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';
import { keyNonceOf } from './key-nonce.js';

interface Fault {
  readonly reason: 'bad_key';
  readonly detail: string;
}

/** Of keys registered by messages each belongs to one account; onchain, several accounts can have the same. */
const addError = (fid: number, body: KeyAddBody, own: readonly StoredMessage[], holders: readonly KeyOwner[]) => {
  const key = toHex(body.key);
  const owners = holders.filter((one) => equalBytes(one.key, body.key));
  if (owners.some((one) => one.isOnchain && one.fid === fid))
    return `The key ${key} is registered onchain for fid ${fid}.`;
  const holder = owners.find((one) => one.isByMessage);
  if (holder && holder.fid !== fid) return `The key ${key} belongs to fid ${holder.fid}.`;
  if (holder && holder.requestFid !== requestFidOf(body.metadata))
    return `The key ${key} was registered for another app.`;
  const active = own.filter(({ type }) => type === MessageType.KEY_ADD).length;
  return !holder && active >= MAX_ACTIVE_KEYS
    ? `Fid ${fid} has ${MAX_ACTIVE_KEYS} keys, the most there can be.`
    : undefined;
};

const removeError = (fid: number, body: KeyRemoveBody, own: readonly StoredMessage[]) => {
  const isHeld = own.some(({ type, key }) => type === MessageType.KEY_ADD && equalBytes(key, body.key));
  return isHeld ? undefined : `The key ${toHex(body.key)} is not registered for fid ${fid} by a message.`;
};

/** @returns the app that asked for the stored registration of the key that the message is about; null: none is stored */
const appOf = ({ key }: StoredMessage, own: readonly StoredMessage[]): number | null => {
  const stored = own.find((row) => row.type === MessageType.KEY_ADD && equalBytes(row.key, key));
  return (stored && keyNonceOf(stored)?.requestFid) ?? null;
};

/**
 * Rules of hubs for key messages, in addition to signatures: a key belongs to one account and one app, is not
 * registered onchain, and is removed only if it exists. Nonces rise from 1: those of the custody address over all keys of
 * the account, those of keys that remove themselves over all keys of their app. They do not apply to messages from
 * hubs, which may arrive in any order.
 * @returns the error of each rejected candidate
 * @source snapchain 0.14.2, `merge_key_add` and `merge_key_remove` (`gasless_key_merge.rs`), `key_nonce_store.rs`
 */
export const rejectKeys = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<Map<MessageCandidate, Fault>> => {
  const refused = new Map<MessageCandidate, Fault>();
  const about = candidates.filter(({ message }) => message.messageSet === MessageSet.key);
  if (about.length === 0) return refused;
  const fids = [...new Set(about.map(({ message }) => message.fid))];
  const stored: StoredMessage[] = await selectMessageSets(session, [MessageSet.key], fids);
  const ownOf = (fid: number) => stored.filter((row) => row.fid === fid);
  const holders = await selectActiveKeyOwners(
    session,
    about.map(({ message }) => message.key),
  );
  const custodyNonces = await selectCustodyNonces(session, fids);
  const apps = about.flatMap(({ message }) => appOf(message, ownOf(message.fid)) ?? []);
  const appNonces = await selectAppNonces(session, apps);

  const nonceError = (message: StoredMessage, own: readonly StoredMessage[]): string | undefined => {
    const { nonce, byCustody } = keyNonceOf(message) as KeyNonceRow;
    const app = appOf(message, own);
    const last = (byCustody ? custodyNonces.get(message.fid) : app && appNonces.get(app)) ?? 0;
    const whose = byCustody ? `fid ${message.fid}` : `the app with fid ${app}`;
    return nonce > last ? undefined : `The nonce must be above ${last}, the last one of ${whose}.`;
  };
  for (const candidate of about) {
    const { message } = candidate;
    const { keyAddBody, keyRemoveBody } = decodedOf(message).data;
    const own = ownOf(message.fid);
    if (own.some((row) => equalBytes(row.hash, message.hash))) continue;
    const detail =
      (keyAddBody && addError(message.fid, keyAddBody, own, holders)) ??
      (keyRemoveBody && removeError(message.fid, keyRemoveBody, own)) ??
      nonceError(message, own);
    if (detail !== undefined) refused.set(candidate, { reason: 'bad_key', detail });
  }
  return refused;
};
