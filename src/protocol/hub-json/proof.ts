import type { UserNameProof } from '@farcaster/core';
import { base64, type Codec, enumOf, hexOf, object, uint } from './codec.js';
import { usernameTypeNames } from './enum.js';
import { type JsonObject, readText, toText } from './scalar.js';

const utf8: Codec<Uint8Array> = { write: toText, read: (json, at) => Buffer.from(readText(json, at), 'utf8') };

export const usernameProof = object<UserNameProof>({
  timestamp: uint,
  name: utf8,
  owner: hexOf(20),
  signature: base64,
  fid: uint,
  type: enumOf(usernameTypeNames),
});

/** @returns the contract's `HubUserNameProof` */
export const usernameProofToJson = (proof: UserNameProof): JsonObject => usernameProof.write(proof) as JsonObject;

/**
 * @param json a proof of hub software or of the name registry, whose signatures are hex
 * @param at path of the proof inside the request or file, for errors
 * @throws AppError invalid with the path of the faulty member
 */
export const usernameProofFromJson = (json: unknown, at = ''): UserNameProof => usernameProof.read(json, at);
