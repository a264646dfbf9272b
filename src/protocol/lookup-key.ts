import { FarcasterNetwork, type MessageData } from '@farcaster/core';
import { type ConflictKey, conflictKey } from './conflict.js';

const NOTHING = new Uint8Array();

/** Envelope for a lookup: the conflict key depends on the body only. */
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

/** @returns the conflict key of messages of any fid with this type and body */
export const lookupKey = (about: About): ConflictKey => {
  const data: MessageData = { fid: 0, timestamp: 0, network: FarcasterNetwork.NONE, ...about };
  return conflictKey({ envelope: UNSIGNED, type: data.type, fid: data.fid, timestamp: data.timestamp, data });
};
