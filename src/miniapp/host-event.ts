import { createHash } from 'node:crypto';
import type { Database } from '../db/database.js';
import { invalidField } from '../error.js';
import type { Networks } from '../onchain/network.js';
import type { EncodedJsonSocialSignature } from '../schema/social/frame.js';
import { selectAccountAddresses, selectAppKeyRequester } from '../store/protocol/account-authority.js';
import { type HostEvent, readEvent } from './event.js';
import { type Jfs, JfsError, jfsError, parseJfs } from './jfs.js';

/** A verified event that may be delivered. */
export interface SignedHostEvent {
  readonly fid: number;
  readonly event: HostEvent;
  readonly encoded: EncodedJsonSocialSignature;
  /** SHA-256 of the signed bytes. */
  readonly digest: Buffer;
  /** Signed by this service: repeated requests for the same event have different bytes. */
  readonly isBuiltHere: boolean;
}

/** The host app that sends an event. */
export interface HostApp {
  readonly appId: string;
  /** Account of the app; null without one. */
  readonly appFid: number | null;
}

const PROPERTY = 'signed_message';
/** In base64 characters. An event has a few hundred bytes, but the outbox may store it for a day. */
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

/**
 * The key must be one that the account gave to this host: with the key of another app, that app could impersonate this
 * host.
 */
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

/** @returns a digest of the signed bytes */
export const digestOf = ({ header, payload }: EncodedJsonSocialSignature): Buffer =>
  createHash('sha256').update(`${header}.${payload}`).digest();

/**
 * Verifies an event that a host or its user signed: form, signature, key and event.
 * @throws AppError 'invalid' with property `signed_message`; what the client throws if a chain does not respond that
 *   must verify a contract wallet
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
  const problem = await jfsError(jfs, networks);
  if (problem !== undefined) throw refuse(problem);
  return { fid: jfs.fid, event, encoded: jfs.encoded, digest: digestOf(jfs.encoded), isBuiltHere: false };
};
