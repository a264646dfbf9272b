import { recoverMessageAddress } from 'viem/utils';
import { signatureVerifier } from '../protocol/signature.js';
import type { EncodedJsonSocialSignature } from '../schema/frame.js';
import { decodeBase64url } from './base64url.js';

/**
 * JSON Farcaster Signatures (Farcaster discussion 208; the packages @farcaster/jfs and @farcaster/miniapp-node):
 * three base64url texts, the signature made over `header.payload` as it stands.
 */
export type JfsKeyType = 'app_key' | 'custody' | 'auth';

/** A signature that was read; whether it holds is for `verifyJfs` to say, whether the key may sign for `fid` for the caller. */
export interface Jfs {
  readonly fid: number;
  readonly type: JfsKeyType;
  /** Public key of 32 bytes for `app_key`, address of 20 bytes for the others. */
  readonly key: Uint8Array;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
  readonly encoded: EncodedJsonSocialSignature;
}

/** Thrown for a text that is no JSON Farcaster Signature; the message says which part is wrong. */
export class JfsError extends Error {
  override readonly name = 'JfsError';
}

/** Who signs: an account by one of its app keys. */
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
/** A header holds three short members; what is longer is not worth parsing. */
const MAX_HEADER_TEXT = 1024;

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const signedText = ({ header, payload }: EncodedJsonSocialSignature): string => `${header}.${payload}`;

/** @returns the signature of an app key over `payload`. */
export const makeJfs = ({ fid, publicKey, sign }: JfsSigner, payload: string): EncodedJsonSocialSignature => {
  const key = `0x${Buffer.from(publicKey).toString('hex')}`;
  const unsigned = {
    header: base64url(JSON.stringify({ fid, type: 'app_key', key })),
    payload: base64url(payload),
    signature: '',
  };
  return { ...unsigned, signature: base64url(sign(Buffer.from(signedText(unsigned)))) };
};

/** @returns the three parts in one text, as it stands in headers. */
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
  const bytes = decodeBase64url(text);
  if (!bytes || bytes.length === 0) throw new JfsError(`has a ${part} that is not base64url without padding.`);
  return bytes;
};

const jsonObject = (bytes: Buffer): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below, with the other forms of what is no object.
  }
  throw new JfsError('has a header that is not a JSON object.');
};

const isKeyType = (type: unknown): type is JfsKeyType => typeof type === 'string' && Object.hasOwn(KEY_BYTES, type);

const readHeader = (bytes: Buffer): Pick<Jfs, 'fid' | 'type' | 'key'> => {
  const { fid, type, key } = jsonObject(bytes);
  if (!Number.isSafeInteger(fid) || (fid as number) < 1) throw new JfsError('has a header without a valid fid.');
  if (!isKeyType(type)) throw new JfsError(`has a header whose type is none of ${Object.keys(KEY_BYTES).join(', ')}.`);
  const length = KEY_BYTES[type];
  if (typeof key !== 'string' || !new RegExp(`^0x[0-9a-fA-F]{${length * 2}}$`).test(key)) {
    throw new JfsError(`has a header whose key is not 0x and ${length * 2} hex digits, as ${type} has.`);
  }
  return { fid: fid as number, type, key: Buffer.from(key.slice(2), 'hex') };
};

/** Early clients wrote custody signatures as hex text; manifests of that time are still served (@farcaster/jfs, `strict`). */
const fromHexText = (bytes: Buffer): Buffer => {
  const text = bytes.toString('latin1');
  return /^0x[0-9a-fA-F]{130}$/.test(text) ? Buffer.from(text.slice(2), 'hex') : bytes;
};

/**
 * Reads a signature in its compact form or as an object.
 *
 * @throws JfsError whose message continues "The signature ..."
 */
export const parseJfs = (input: string | EncodedJsonSocialSignature): Jfs => {
  const encoded = typeof input === 'string' ? split(input) : input;
  if (encoded.header.length > MAX_HEADER_TEXT) throw new JfsError('has a header that is too long.');
  const header = readHeader(decoded('header', encoded.header));
  const payload = decoded('payload', encoded.payload);
  const bytes = decoded('signature', encoded.signature);
  const signature = header.type === 'app_key' ? bytes : fromHexText(bytes);
  const length = header.type === 'app_key' ? ED25519_BYTES : ETHEREUM_BYTES;
  if (signature.length !== length) {
    throw new JfsError(`has a signature of ${signature.length} bytes; one by ${header.type} has ${length}.`);
  }
  const { header: headerText, payload: payloadText, signature: signatureText } = encoded;
  const parts = { header: headerText, payload: payloadText, signature: signatureText };
  return { ...header, payload, signature, encoded: parts };
};

/** An address signs a text as wallets do (EIP-191); a contract's own rule (ERC-1271) would have to be asked of its chain. */
const isSignedByAddress = async ({ key, signature }: Jfs, text: string): Promise<boolean> => {
  try {
    const recovered = await recoverMessageAddress({ message: text, signature });
    return recovered.toLowerCase() === `0x${Buffer.from(key).toString('hex')}`;
  } catch {
    // No key recovers from these bytes: nobody signed.
    return false;
  }
};

/** @returns whether the key of the header made the signature. Whether that key is one of `fid`'s is not looked at. */
export const verifyJfs = async (jfs: Jfs): Promise<boolean> => {
  const text = signedText(jfs.encoded);
  if (jfs.type === 'app_key') return signatureVerifier().verify(jfs.signature, Buffer.from(text), jfs.key);
  return isSignedByAddress(jfs, text);
};
