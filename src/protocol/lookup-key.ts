import { FarcasterNetwork, type MessageData } from '@farcaster/core';
import { type ConflictKey, conflictKey } from './conflict.js';

const NOTHING = new Uint8Array();

/** Nobody has to have signed it: only what the message is about counts. */
const UNSIGNED = {
  dataBytes: NOTHING,
  dataForm: 'data',
  hash: NOTHING,
  hashScheme: 0,
  signature: NOTHING,
  signatureScheme: 0,
  signer: NOTHING,
} as const;

type About = Pick<MessageData, 'type'> & Partial<MessageData>;

/** @returns the key that a message of this type and body would hold, of whatever fid, to look it up by */
export function lookupKey(about: About): ConflictKey {
  const data: MessageData = { fid: 0, timestamp: 0, network: FarcasterNetwork.NONE, ...about };
  return conflictKey({ envelope: UNSIGNED, type: data.type, fid: data.fid, timestamp: data.timestamp, data });
}
