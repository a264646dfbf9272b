import { OnChainEvent, type UserNameProof } from '@farcaster/core';

/** An onchain event; `wire` has its bytes if the protocol's package does not know its body (a channel's registration). */
export interface OnchainItem {
  readonly kind: 'onchain';
  readonly event: OnChainEvent;
  readonly wire?: Uint8Array | undefined;
}

/** @returns the bytes of the protobuf `OnChainEvent` */
export const encodeOnchain = ({ event, wire }: Pick<OnchainItem, 'event' | 'wire'>): Uint8Array =>
  wire ?? OnChainEvent.encode(event).finish();

/** A proof of the name registry; `isRemoval`: a hub does not have it any more. */
export interface ProofItem {
  readonly kind: 'proof';
  readonly proof: UserNameProof;
  readonly isRemoval?: true;
}

/**
 * One item of a source (hub stream, backfill, file, submission).
 * Signed messages are the bytes of the protobuf `Message`, so that nothing is lost before verification.
 */
export type IngestItem =
  | { readonly kind: 'message'; readonly wire: Uint8Array }
  | { readonly kind: 'removal'; readonly reason: 'prune' | 'revoke' | 'replaced'; readonly wire: Uint8Array }
  | OnchainItem
  | ProofItem;
