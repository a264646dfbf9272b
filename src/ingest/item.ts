import type { OnChainEvent, UserNameProof } from '@farcaster/core';

/**
 * One item of a source (hub stream, backfill, file, submission).
 * Signed messages are the bytes of the protobuf `Message`, so that nothing is lost before verification.
 */
export type IngestItem =
  | { readonly kind: 'message'; readonly wire: Uint8Array }
  | { readonly kind: 'removal'; readonly reason: 'prune' | 'revoke' | 'replaced'; readonly wire: Uint8Array }
  | { readonly kind: 'onchain'; readonly event: OnChainEvent }
  | { readonly kind: 'proof'; readonly proof: UserNameProof };
