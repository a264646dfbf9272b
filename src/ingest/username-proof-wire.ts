import type { UserNameProof } from '@farcaster/core';
import { usernameProofBody } from '../protocol/wire/body.js';
import { WireError, WireReader } from '../protocol/wire/wire.js';

/**
 * Reads a protobuf `UserNameProof`. Hubs check neither the time nor the fid of a proof of an ENS name or Basename, so
 * anybody can send one with a number above 2^53, at which the decoder of the protocol's package throws.
 * @returns undefined for a proof that cannot be represented, which is invalid
 */
export const readUsernameProof = (wire: Uint8Array): UserNameProof | undefined => {
  try {
    return usernameProofBody.read(wire);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
};

/** Reads a protobuf `UsernameProofsResponse`, without the proofs that are invalid. @throws WireError */
export const readUsernameProofs = (wire: Uint8Array): UserNameProof[] => {
  const reader = new WireReader(wire);
  const proofs: (UserNameProof | undefined)[] = [];
  while (reader.next()) {
    if (reader.field === 1) proofs.push(readUsernameProof(reader.byteString()));
    else reader.skip();
  }
  return proofs.filter((proof) => proof !== undefined);
};
