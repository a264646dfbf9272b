import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { equalBytes } from '../bytes.js';
import type { Database } from '../db/database.js';
import { invalidField } from '../error.js';
import { toHex } from '../hex.js';
import type { Networks } from '../onchain/network.js';
import type { SignedKeyRequestSponsor } from '../schema/social/signer.js';
import {
  type KeyStatusRow,
  type KeyType,
  selectKeyStatus,
  upsertSignedKeyRequest,
} from '../store/access/signed-key-request.js';
import { selectCustodyAddresses } from '../store/protocol/account.js';
import { requireSignature } from './account-signature.js';

/** Anyone who has a signed request may use it until its deadline, so the deadline is limited. */
const MAX_DEADLINE_SECONDS = 30 * 86_400;
const MAX_REDIRECT_LENGTH = 2048;
const TOKEN_BYTES = 32;

/** What verifying and storing a request needs. */
export interface KeyRequestDependencies {
  readonly db: Database;
  readonly networks: Networks;
}

/** A key with the member of the request that contains it, for errors. */
export interface RequestedKey {
  readonly appId: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly keyType: KeyType;
  readonly property: 'signer_uuid' | 'public_key' | 'address';
}

/** A signed key request, named as in the bodies of the contract. */
export interface KeyRequest {
  readonly app_fid: number;
  /** Unix seconds. */
  readonly deadline: number;
  /** EIP-712 signature by the custody address of `app_fid`: 0x and 130 hex digits, or more by a contract wallet. */
  readonly signature: string;
  readonly redirect_url?: string;
  readonly sponsor?: SignedKeyRequestSponsor;
}

const checkDeadline = (deadline: number, now: number): void => {
  const ahead = deadline - now / 1000;
  if (ahead <= 0) throw invalidField('deadline', 'deadline has passed: sign the request again with a later one');
  if (ahead > MAX_DEADLINE_SECONDS) {
    throw invalidField(
      'deadline',
      'deadline is more than 30 days ahead: Unix seconds are meant, 24 hours ahead is advised',
    );
  }
};

/** The approval page redirects there, so the URL must not be a script. */
const checkRedirect = (url: string | undefined): void => {
  if (url === undefined) return;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  const isProgram = scheme === undefined || ['javascript', 'data', 'vbscript', 'blob', 'file'].includes(scheme);
  // Visible ASCII, as in every URL (RFC 3986).
  if (isProgram || url.length > MAX_REDIRECT_LENGTH || !/^[\x21-\x7e]+$/.test(url) || !URL.canParse(url)) {
    throw invalidField('redirect_url', 'redirect_url must be an address that opens the app, like myapp://approved');
  }
};

const custodyOf = async (db: Database, fid: number, property: string): Promise<Uint8Array> => {
  const [row] = await selectCustodyAddresses(db, [fid]);
  if (row) return row.custodyAddress;
  throw invalidField(property, `${property} ${fid} is no account whose custody address is known here`);
};

/**
 * @returns the verified account and signature of the sponsor; undefined without one, or if the service itself sponsors
 */
const verifySponsor = async ({ db, networks }: KeyRequestDependencies, { sponsor, signature }: KeyRequest) => {
  if (sponsor === undefined || sponsor.sponsored_by_service) return undefined;
  const { fid, signature: text } = sponsor;
  if (fid === undefined && text === undefined) return undefined;
  if (fid === undefined || text === undefined) {
    throw invalidField('sponsor', 'sponsor needs both fid and signature, unless the service is to sponsor');
  }
  const custody = await custodyOf(db, fid, 'sponsor.fid');
  const { hashMessage } = await import('viem/utils');
  const signed = await requireSignature(networks, {
    property: 'sponsor.signature',
    text,
    address: custody,
    // The protocol's reference on signer requests: over the bytes of the app's signature, exactly as sent (EIP-191).
    hash: hashMessage({ raw: signature as Hex }),
    meaning: `by the custody address of ${fid} over the bytes of signature (EIP-191)`,
  });
  return { fid, signature: signed };
};

/** A key that an account has or had cannot be requested again; the same request is a repetition. */
const checkKeyStatus = (property: string, status: KeyStatusRow, isRepeated: boolean): void => {
  if (status.active === null || isRepeated) return;
  const message = status.active
    ? `${property}: account ${status.fid} holds this key already`
    : `${property}: account ${status.fid} took this key back, and the registry takes none a second time: use another`;
  throw invalidField(property, message);
};

/**
 * Verifies a signed key request and stores it in place of an earlier one, so that it awaits approval. Repeating the
 * same request changes nothing.
 * @param now Unix milliseconds
 * @returns the state of the key
 * @throws AppError 'invalid' with the faulty property: a deadline that has passed or is too late, an unknown app
 *   account, an invalid signature, a key that an account has or had
 */
export const registerKeyRequest = async (
  dependencies: KeyRequestDependencies,
  requested: RequestedKey,
  request: KeyRequest,
  now: number,
): Promise<KeyStatusRow> => {
  const { db, networks } = dependencies;
  const { key, keyType, appId } = requested;
  checkDeadline(request.deadline, now);
  checkRedirect(request.redirect_url);
  const custody = await custodyOf(db, request.app_fid, 'app_fid');
  const { keyRequestHash } = await import('../onchain/registry/typed-data.js');
  const signature = await requireSignature(networks, {
    property: 'signature',
    text: request.signature,
    address: custody,
    hash: keyRequestHash({
      requestFid: BigInt(request.app_fid),
      key: toHex(key),
      deadline: BigInt(request.deadline),
    }),
    meaning: `by the custody address of app_fid ${request.app_fid} over app_fid, key and deadline (EIP-712, Farcaster SignedKeyRequestValidator)`,
  });
  const sponsor = await verifySponsor(dependencies, request);
  return db.transaction(async (session) => {
    const before = await selectKeyStatus(session, key, keyType, appId);
    const isRepeated =
      before.requestFid === request.app_fid &&
      before.deadline?.getTime() === request.deadline * 1000 &&
      before.requestSigner !== null &&
      equalBytes(before.requestSigner, custody);
    checkKeyStatus(requested.property, before, isRepeated);
    await upsertSignedKeyRequest(session, {
      key,
      keyType,
      appId,
      requestFid: request.app_fid,
      requestSigner: custody,
      signature,
      deadline: new Date(request.deadline * 1000),
      redirectUrl: request.redirect_url ?? null,
      sponsorFid: sponsor?.fid ?? null,
      sponsorSignature: sponsor?.signature ?? null,
      sponsoredByService: request.sponsor?.sponsored_by_service ?? false,
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      createdAt: new Date(now),
    });
    return selectKeyStatus(session, key, keyType, appId);
  });
};
