import { MessageType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { requestFidOf } from '../../protocol/eip712.js';
import { insertKeyNonces, type KeyNonceRow, updateKeyNonceApps } from '../../store/protocol/key-nonce.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

/** `KeyRemoveBody.signatureType` of a removal by the custody address; otherwise the key removes itself. */
export const BY_CUSTODY = 1;

/** @returns the nonce that a message about a key uses; undefined for other messages */
export const keyNonceOf = (message: StoredMessage): KeyNonceRow | undefined => {
  const { keyAddBody, keyRemoveBody } = decodedOf(message).data;
  const { fid, ts, hash, key } = message;
  if (message.type === MessageType.KEY_ADD && keyAddBody) {
    const { nonce, metadata } = keyAddBody;
    return { fid, key, hash, ts, type: message.type, nonce, by_custody: true, request_fid: requestFidOf(metadata) };
  }
  if (message.type !== MessageType.KEY_REMOVE || !keyRemoveBody) return undefined;
  const { nonce, signatureType } = keyRemoveBody;
  const by_custody = signatureType === BY_CUSTODY;
  return { fid, key, hash, ts, type: message.type, nonce, by_custody, request_fid: null };
};

/**
 * Stores the nonces of valid messages, whether these replaced others or came too late for that. The result does not
 * depend on their order.
 */
export const ingestKeyNonces = async (session: Session, messages: readonly StoredMessage[]): Promise<void> => {
  const rows = messages.flatMap((message) => keyNonceOf(message) ?? []);
  await insertKeyNonces(session, rows);
  await updateKeyNonceApps(session, rows);
};
