import { equalBytes } from '../../bytes.js';
import { readSignedKeyRequest, recoverKeyAdd, recoverKeyRemove } from '../eip712.js';
import { ED25519_KEY_BYTES, MAX_KEY_SCOPES, MAX_KEY_TTL_SECONDS } from '../limit.js';
import { Rejection } from '../verification-result.js';
import type { KeyAddBody, KeyRemoveBody } from '../wire/body.js';
import type { MessageHead } from '../wire/message-data.js';

const KEY_TYPE_ED25519 = 1;
const METADATA_SIGNED_KEY_REQUEST = 1;

/** Hubs read these numbers as 64-bit integers. */
const UINT64 = 2n ** 64n - 1n;
/** No account has a higher number: it would not be exact in JSON, nor fit the database. */
const MAX_FID = BigInt(Number.MAX_SAFE_INTEGER);

/** Which key signed the removal: that of the account's custody address, or the removed key itself. */
const REVOKED_BY = { custody: 1, self: 2 } as const;

/**
 * The `MessageType`s that can be allowed to a key: everything up to storage lending. Keys and channels cannot be
 * delegated (snapchain src/core/validations/key.rs).
 */
const SCOPES = new Set([1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15]);

/** @throws Rejection if members of a key add violate the hubs' rules; `checkKeyAddClaims` verifies the signatures */
export const checkKeyAdd = (body: KeyAddBody): void => {
  checkKey(body);
  if (body.keyType !== KEY_TYPE_ED25519) throw new Rejection('bad_key', 'keyType must be 1 (Ed25519)');
  if (body.ttl === 0 || body.ttl > MAX_KEY_TTL_SECONDS) {
    throw new Rejection('bad_key', `ttl must be 1 to ${MAX_KEY_TTL_SECONDS} seconds`);
  }
  if (body.metadataType !== METADATA_SIGNED_KEY_REQUEST || body.metadata.length === 0) {
    throw new Rejection('bad_key', 'metadata must be a signed key request (metadataType 1)');
  }
  if (body.scopes.length === 0 || body.scopes.length > MAX_KEY_SCOPES) {
    throw new Rejection('bad_key', `a key needs 1 to ${MAX_KEY_SCOPES} scopes`);
  }
  const foreign = body.scopes.find((scope) => !SCOPES.has(scope));
  if (foreign !== undefined) throw new Rejection('bad_key', `a key cannot have the scope ${foreign}`);
};

/**
 * @throws Rejection if members of a key removal violate the hubs' rules, or the signer is not the key that it claims to
 *   be
 */
export const checkKeyRemove = (body: KeyRemoveBody, signer: Uint8Array): void => {
  checkKey(body);
  if (body.signatureType !== REVOKED_BY.custody && body.signatureType !== REVOKED_BY.self) {
    throw new Rejection('bad_key', 'signatureType must be 1 (custody) or 2 (self)');
  }
  if (body.signatureType === REVOKED_BY.self && !equalBytes(signer, body.key)) {
    throw new Rejection('bad_key', 'a key that revokes itself must sign the message');
  }
};

/**
 * Verifies the signatures inside a key add, as far as possible without state: the app's request is genuine and not
 * expired, and the custody signature is valid. Whether the two addresses are the custody addresses of the app's fid and
 * of this fid is checked on ingest.
 * @throws Rejection
 */
export const checkKeyAddClaims = (body: KeyAddBody, head: MessageHead): void => {
  const request = readSignedKeyRequest(body);
  if (request === undefined || request.requestFid > MAX_FID || request.deadline > UINT64) {
    throw new Rejection('bad_key', 'metadata is no ABI-encoded signed key request');
  }
  if (request.deadline < BigInt(head.timestamp)) throw new Rejection('bad_key', 'the signed key request has expired');
  if (request.recovered === undefined || !equalBytes(request.recovered, request.requestSigner)) {
    throw new Rejection('bad_claim', 'the signed key request is not by its requestSigner over this key');
  }
  if (recoverKeyAdd(head.fid, body) === undefined) {
    throw new Rejection('bad_claim', 'custodySignature is no EIP-712 signature of 65 bytes');
  }
};

/** Verifies the custody signature inside a key removal in the same way. @throws Rejection */
export const checkKeyRemoveClaim = (body: KeyRemoveBody, head: MessageHead): void => {
  if (body.signatureType === REVOKED_BY.self) return;
  if (recoverKeyRemove(head.fid, body) === undefined) {
    throw new Rejection('bad_claim', 'signature is no EIP-712 signature of 65 bytes');
  }
};

const checkKey = ({ key, deadline }: { key: Uint8Array; deadline: number }): void => {
  if (key.length !== ED25519_KEY_BYTES) throw new Rejection('bad_key', `key must have ${ED25519_KEY_BYTES} bytes`);
  if (deadline === 0) throw new Rejection('bad_key', 'deadline is missing');
};
