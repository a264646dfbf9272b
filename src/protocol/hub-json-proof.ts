import type { UserNameProof } from '@farcaster/core';
import { usernameTypeNames } from './hub-json/enum.js';
import {
  type JsonObject,
  member,
  readBytes,
  readEnum,
  readFixedBytes,
  readObject,
  readText,
  readUint,
  toBase64,
  toHex,
  toText,
} from './hub-json/scalar.js';

/** @returns the contract's `HubUserNameProof`: the name as text, the owner in hex, the signature in base64 */
export function usernameProofToJson(proof: UserNameProof): JsonObject {
  return {
    timestamp: proof.timestamp,
    name: toText(proof.name),
    owner: toHex(proof.owner),
    signature: toBase64(proof.signature),
    fid: proof.fid,
    type: usernameTypeNames.name(proof.type),
  };
}

/**
 * @param json a proof as hubs and the name registry write it (the registry's signatures are hex)
 * @param at path of the proof inside what was sent, for the errors
 * @throws AppError invalid with the path of the member at fault
 */
export function usernameProofFromJson(json: unknown, at = ''): UserNameProof {
  const proof = readObject(json, at);
  return {
    timestamp: readUint(proof.timestamp, member(at, 'timestamp')),
    name: Buffer.from(readText(proof.name, member(at, 'name')), 'utf8'),
    owner: readFixedBytes(proof.owner, member(at, 'owner'), 20),
    signature: readBytes(proof.signature, member(at, 'signature')),
    fid: readUint(proof.fid, member(at, 'fid')),
    type: readEnum(proof.type, member(at, 'type'), usernameTypeNames),
  };
}
