import { createHash } from 'node:crypto';
import { invalidField } from '../error.js';
import type { Networks } from '../onchain/network.js';
import type { EncodedJsonSocialSignature } from '../schema/social/frame.js';
import { selectAccountAddresses, selectAppKeyRequester } from '../store/protocol/account-authority.js';
import type { Database } from '../store/database.js';
import { type HostEvent, readEvent } from './event.js';
import { type Jfs, JfsError, jfsFault, parseJfs } from './jfs.js';

/** An event that an account signed and that may be delivered. */
export interface SignedHostEvent {
  readonly fid: number;
  readonly event: HostEvent;
  readonly encoded: EncodedJsonSocialSignature;
  /** SHA-256 of what was signed. */
  readonly digest: Buffer;
  /** Signed by the service: asked for twice, its bytes differ, and it is the same event all the same. */
  readonly isBuiltHere: boolean;
}

/** The host app that hands an event in. */
export interface HostApp {
  readonly appId: string;
  /** Its own account; null when it has none. */
  readonly appFid: number | null;
}

const PROPERTY = 'signed_message';
/** Characters of base64. An event is a few hundred bytes; the outbox may have to keep it for a day. */
const MAX_PAYLOAD_TEXT = 4096;
const refuse = (message: string) => invalidField(PROPERTY, `${PROPERTY} ${message}`);

const read = (input: string | EncodedJsonSocialSignature): Jfs => {
  try {
    return parseJfs(input);
  } catch (error) {
    if (error instanceof JfsError) throw refuse(error.message);
    throw error;
  }
};

/** A key counts that the account gave to this very host: with another app's key that app could speak in our name. */
const checkKey = async (db: Database, { fid, type, key }: Jfs, { appFid }: HostApp): Promise<void> => {
  if (type === 'app_key') {
    const requester = await selectAppKeyRequester(db, fid, key);
    if (requester === undefined) throw refuse(`is signed by a key that is none of account ${fid}.`);
    if (appFid === null) throw refuse('is signed by an app key, but the calling app has no account to compare with.');
    if (requester !== appFid) throw refuse("is signed by another app's key.");
    return;
  }
  const { custody, auth } = await selectAccountAddresses(db, fid);
  const addresses = type === 'custody' ? [custody] : auth;
  if (!addresses.some((address) => address?.equals(key))) {
    throw refuse(`is signed by an address that is not the ${type} address of account ${fid}.`);
  }
};

/** @returns what identifies the signed bytes. */
export const digestOf = ({ header, payload }: EncodedJsonSocialSignature): Buffer =>
  createHash('sha256').update(`${header}.${payload}`).digest();

/**
 * Checks an event that a host signed itself, or let its user sign: the form, the signature, the key, the event.
 *
 * @throws AppError 'invalid' with property `signed_message`; what the chain's client throws when a contract wallet has
 *   to be asked and the chain does not answer
 */
export const verifyHostEvent = async (
  { db, networks }: { readonly db: Database; readonly networks: Networks },
  host: HostApp,
  input: string | EncodedJsonSocialSignature,
): Promise<SignedHostEvent> => {
  const jfs = read(input);
  if (jfs.encoded.payload.length > MAX_PAYLOAD_TEXT) {
    throw refuse(`has a payload of more than ${MAX_PAYLOAD_TEXT} characters.`);
  }
  const event = readEvent(jfs.payload);
  if (!event) throw refuse('holds no event that a host sends: see GET of the same path for its form.');
  await checkKey(db, jfs, host);
  const fault = await jfsFault(jfs, networks);
  if (fault !== undefined) throw refuse(fault);
  return { fid: jfs.fid, event, encoded: jfs.encoded, digest: digestOf(jfs.encoded), isBuiltHere: false };
};
