import type { MessageData } from '@farcaster/core';

/**
 * A signed message in wire form, with its data not decoded. The hash is computed from the exact data bytes: encoding
 * the decoded body again may return other bytes.
 */
export interface Envelope {
  /** The hashed bytes. */
  readonly dataBytes: Uint8Array;
  /** The member of the protobuf `Message` that contains them: `data` (field 1) or `data_bytes` (field 7). */
  readonly dataForm: 'data' | 'data_bytes';
  /** BLAKE3 of `dataBytes`, truncated to 20 bytes. */
  readonly hash: Uint8Array;
  /** `HashScheme` of the protocol: 1 is BLAKE3. */
  readonly hashScheme: number;
  readonly signature: Uint8Array;
  /** `SignatureScheme` of the protocol: 1 is Ed25519, 2 is EIP-712. */
  readonly signatureScheme: number;
  /** Ed25519 public key (32 bytes) or Ethereum address (20 bytes). */
  readonly signer: Uint8Array;
}

/** An envelope with its decoded data. */
export interface ProtocolMessage {
  readonly envelope: Envelope;
  /** `MessageType` number, also of types without a name in the protocol's package. */
  readonly type: number;
  readonly fid: number;
  /** Seconds since 2021-01-01T00:00:00Z. */
  readonly timestamp: number;
  /** Bodies of types that the package does not know are missing here; `envelope.dataBytes` contains them. */
  readonly data: MessageData;
}
