import { HashScheme, MessageData, SignatureScheme } from '@farcaster/core';
import type { IngestItem } from '../ingest/item.js';
import { blake3Hash20 } from '../protocol/hash.js';
import { encodeEnvelope } from '../protocol/wire/envelope.js';
import type { Envelope } from '../protocol/wire/message.js';
import type { SignerKey } from './key.js';

/** A signed message as submitted to a hub; usable as a `CastId`. */
export interface Signed {
  /** Bytes of the protobuf `Message`. */
  readonly wire: Uint8Array;
  /** 20 bytes */
  readonly hash: Uint8Array;
  readonly fid: number;
  /** protocol seconds */
  readonly timestamp: number;
  readonly item: IngestItem;
}

/** @returns the message, hashed with BLAKE3 and signed with Ed25519, with its data in the given member */
export const signed = (data: MessageData, key: SignerKey, dataForm: Envelope['dataForm'] = 'data_bytes'): Signed => {
  const dataBytes = MessageData.encode(data).finish();
  const hash = blake3Hash20(dataBytes);
  const wire = encodeEnvelope({
    dataBytes,
    dataForm,
    hash,
    hashScheme: HashScheme.BLAKE3,
    signature: key.sign(hash),
    signatureScheme: SignatureScheme.ED25519,
    signer: key.publicKey,
  });
  return { wire, hash, fid: data.fid, timestamp: data.timestamp, item: { kind: 'message', wire } };
};
