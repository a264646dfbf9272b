import type { FarcasterNetwork, MessageData } from '@farcaster/core';
import { HashScheme, MessageData as MessageDataCodec, SignatureScheme } from '@farcaster/core';
import { equalBytes } from '../bytes.js';
import { blake3Hash20 } from '../protocol/hash.js';
import { encodeEnvelope } from '../protocol/wire/envelope.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';

/** An unsigned message: its `MessageType` and the body of that type, named as in @farcaster/core. */
export type Draft = Pick<MessageData, 'type'> & Partial<Omit<MessageData, 'type' | 'fid' | 'timestamp' | 'network'>>;

/** A signer: a managed signer, or any Ed25519 key of the account. */
export interface Author {
  readonly fid: number;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** @returns the Ed25519 signature, 64 bytes */
  sign(bytes: Uint8Array): Uint8Array;
}

export interface SignedDraft {
  /** Bytes of the protobuf `Message`. */
  readonly wire: Uint8Array;
  readonly message: ProtocolMessage;
}

/**
 * Signs a draft: BLAKE3 of the data, Ed25519 of the hash.
 * @param timestamp protocol seconds
 * @returns the message with its data in `data_bytes`, so that every hub hashes these exact bytes
 * @source makeMessage in @farcaster/core's builders: "Messages for snapchain must use dataBytes"
 */
export const signDraft = (author: Author, draft: Draft, timestamp: number, network: FarcasterNetwork): SignedDraft => {
  const data: MessageData = { ...draft, fid: author.fid, timestamp, network };
  const dataBytes = MessageDataCodec.encode(data).finish();
  const hash = blake3Hash20(dataBytes);
  const envelope = {
    dataBytes,
    dataForm: 'data_bytes' as const,
    hash,
    hashScheme: HashScheme.BLAKE3,
    signature: author.sign(hash),
    signatureScheme: SignatureScheme.ED25519,
    signer: author.publicKey,
  };
  return { wire: encodeEnvelope(envelope), message: { envelope, type: data.type, fid: data.fid, timestamp, data } };
};

/** @returns whether a stored message equals the draft except for its timestamp */
export const hasSameContent = (stored: MessageData, draft: Draft): boolean => {
  const { fid, network } = stored;
  const bytesOf = (data: Draft) => MessageDataCodec.encode({ ...data, fid, network, timestamp: 0 }).finish();
  return equalBytes(bytesOf(stored), bytesOf(draft));
};
