import type { MessageData } from '@farcaster/core';

/**
 * A signed message as it stands on the wire, its data not decoded.
 * Only the exact data bytes can be hashed: re-encoding a decoded body may give other bytes.
 */
export interface Envelope {
  /** The bytes that `hash` is taken over. */
  readonly dataBytes: Uint8Array;
  /** The member of the protobuf `Message` that carried them: `data` (field 1) or `data_bytes` (field 7). */
  readonly dataForm: 'data' | 'data_bytes';
  /** BLAKE3 of `dataBytes`, cut to 20 bytes. */
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
  /** `MessageType` number; kinds that the protocol's package does not name keep their number. */
  readonly type: number;
  readonly fid: number;
  /** Seconds since 2021-01-01T00:00:00Z. */
  readonly timestamp: number;
  /** Bodies of kinds the package does not know are absent here; `envelope.dataBytes` still has them. */
  readonly data: MessageData;
}
