import { bytesToHex, hashMessage } from 'viem/utils';
import { fromHex, toHex } from '../hex.js';
import {
  type AddressRole,
  isSignedByAddress,
  MAX_SIGNATURE_BYTES,
  variablesOf,
  WALLET_NETWORKS,
} from '../onchain/address-signature.js';
import type { Networks } from '../onchain/network.js';
import { signatureVerifier } from '../protocol/signature.js';
import type { EncodedJsonSocialSignature } from '../schema/social/frame.js';
import { decodeBase64 } from './base64.js';
import { parseJsonObject } from './json.js';

/**
 * JSON Farcaster Signatures (Farcaster discussion 208; the packages @farcaster/jfs and @farcaster/miniapp-node): three
 * base64url texts; `header.payload` is what is signed. Many tools write padded base64 instead, most often for the
 * signature.
 */
export type JfsKeyType = 'app_key' | AddressRole;

/** A parsed signature. `jfsError` verifies it; the caller checks whether the key may sign for `fid`. */
export interface Jfs {
  readonly fid: number;
  readonly type: JfsKeyType;
  /** 32-byte public key for `app_key`, 20-byte address otherwise. */
  readonly key: Uint8Array;
  readonly payload: Uint8Array;
  /** 64 bytes for `app_key`, 65 for the key of an address, any length for a contract wallet. */
  readonly signature: Uint8Array;
  /** As sent: the signature covers header and payload in this encoding. */
  readonly encoded: EncodedJsonSocialSignature;
}

/** Thrown for a text that is not a JSON Farcaster Signature; the message names the faulty part. */
export class JfsError extends Error {
  override readonly name = 'JfsError';
}

/** An account that signs with one of its app keys. */
export interface JfsSigner {
  readonly fid: number;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** @returns the Ed25519 signature, 64 bytes */
  sign(bytes: Uint8Array): Uint8Array;
}

const KEY_BYTES: Readonly<Record<JfsKeyType, number>> = { app_key: 32, custody: 20, auth: 20 };
const ED25519_BYTES = 64;
const ETHEREUM_BYTES = 65;
/** A header has three short members. */
const MAX_HEADER_TEXT = 1024;

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const signedText = ({ header, payload }: EncodedJsonSocialSignature): string => `${header}.${payload}`;

/** @returns the signature of an app key over `payload` */
export const makeJfs = ({ fid, publicKey, sign }: JfsSigner, payload: string): EncodedJsonSocialSignature => {
  const key = toHex(publicKey);
  const unsigned = {
    header: base64url(JSON.stringify({ fid, type: 'app_key', key })),
    payload: base64url(payload),
    signature: '',
  };
  return { ...unsigned, signature: base64url(sign(Buffer.from(signedText(unsigned)))) };
};

/** @returns the signature as one text, as used in headers */
export const compactJfs = (encoded: EncodedJsonSocialSignature): string =>
  `${signedText(encoded)}.${encoded.signature}`;

const split = (text: string): EncodedJsonSocialSignature => {
  const [header, payload, signature, more] = text.split('.', 4);
  if (header === undefined || payload === undefined || signature === undefined || more !== undefined) {
    throw new JfsError('is not of the form header.payload.signature.');
  }
  return { header, payload, signature };
};

const decoded = (part: keyof EncodedJsonSocialSignature, text: string): Buffer => {
  const bytes = decodeBase64(text);
  if (!bytes || bytes.length === 0) throw new JfsError(`has a ${part} that is neither base64url nor base64.`);
  return bytes;
};

const isKeyType = (type: unknown): type is JfsKeyType => typeof type === 'string' && Object.hasOwn(KEY_BYTES, type);

const readHeader = (bytes: Buffer): Pick<Jfs, 'fid' | 'type' | 'key'> => {
  const header = parseJsonObject(bytes);
  if (header === undefined) throw new JfsError('has a header that is not a JSON object.');
  const { fid, type, key } = header;
  if (!Number.isSafeInteger(fid) || (fid as number) < 1) throw new JfsError('has a header without a valid fid.');
  if (!isKeyType(type)) throw new JfsError(`has a header whose type is none of ${Object.keys(KEY_BYTES).join(', ')}.`);
  const length = KEY_BYTES[type];
  if (typeof key !== 'string' || !new RegExp(`^0x[0-9a-fA-F]{${length * 2}}$`).test(key)) {
    throw new JfsError(`has a header whose key is not 0x and ${length * 2} hex digits, as ${type} has.`);
  }
  return { fid: fid as number, type, key: fromHex(key) };
};

/**
 * Early clients wrote custody signatures as hex text, and manifests from that time still exist (@farcaster/jfs,
 * `strict`).
 */
const fromHexText = (bytes: Buffer): Buffer => {
  const text = bytes.toString('latin1');
  return /^0x(?:[0-9a-fA-F]{2})+$/.test(text) ? fromHex(text) : bytes;
};

const readSignature = (type: JfsKeyType, bytes: Buffer): Buffer => {
  const signature = type === 'app_key' ? bytes : fromHexText(bytes);
  const { length } = signature;
  if (type === 'app_key' ? length === ED25519_BYTES : length >= ETHEREUM_BYTES && length <= MAX_SIGNATURE_BYTES) {
    return signature;
  }
  const expected = type === 'app_key' ? `${ED25519_BYTES}` : `${ETHEREUM_BYTES}, or more by a contract wallet`;
  throw new JfsError(`has a signature of ${length} bytes; one by ${type} has ${expected}.`);
};

/**
 * Parses a signature in compact form or as an object.
 * @throws JfsError whose message continues "The signature ..."
 */
export const parseJfs = (input: string | EncodedJsonSocialSignature): Jfs => {
  const encoded = typeof input === 'string' ? split(input) : input;
  if (encoded.header.length > MAX_HEADER_TEXT) throw new JfsError('has a header that is too long.');
  const header = readHeader(decoded('header', encoded.header));
  const payload = decoded('payload', encoded.payload);
  const signature = readSignature(header.type, decoded('signature', encoded.signature));
  const sent = { header: encoded.header, payload: encoded.payload, signature: encoded.signature };
  return { ...header, payload, signature, encoded: sent };
};

const BROKEN = 'has a signature that does not hold.';

const addressError = async (jfs: Jfs, type: AddressRole, networks: Networks) => {
  const among = WALLET_NETWORKS[type];
  const hash = hashMessage(signedText(jfs.encoded));
  const signed = { address: bytesToHex(jfs.key), hash, signature: bytesToHex(jfs.signature) };
  const isSigned = await isSignedByAddress(networks, among, signed);
  if (isSigned === true) return undefined;
  if (isSigned === false) return BROKEN;
  return `has a signature that does not hold for the key of its address; whether a contract wallet made it can be asked when the operator sets ${variablesOf(among)}.`;
};

/**
 * Verifies the signature with the key in the header: an app key or the key of an address by computation, a contract
 * wallet by a call to its chain. It does not check whether the key belongs to `fid`: check that first, so that
 * outsiders cannot cause calls to contracts of their choice.
 * @returns undefined for a valid signature, else the fault, worded as a JfsError
 * @throws AppError if a chain does not respond
 */
export const jfsError = async (jfs: Jfs, networks: Networks): Promise<string | undefined> => {
  if (jfs.type !== 'app_key') return addressError(jfs, jfs.type, networks);
  const text = Buffer.from(signedText(jfs.encoded));
  return signatureVerifier().verify(jfs.signature, text, jfs.key) ? undefined : BROKEN;
};
