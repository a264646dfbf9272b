import { createHash } from 'node:crypto';
import { UserDataType } from '@farcaster/core';
import stringify from 'safe-stable-stringify';
import type { Address, Hex } from 'viem';
import { invalidField } from '../error.js';
import { requireFname } from '../fname/rejection.js';
import { checkedAddress } from '../onchain/checked-address.js';
import type { RegisterUserReqBody } from '../schema/account/registration.js';
import { checkProfilePart, type ProfileChange, profileParts } from '../write/profile.js';

/** A valid request to register a reserved account, as far as it can be checked without other data. */
export interface RegistrationRequest {
  readonly fid: number;
  /** Address of the person, in lower case. */
  readonly custody: Address;
  /** Unix seconds. */
  readonly deadline: number;
  /** By the person, over the transfer. */
  readonly signature: Hex;
  readonly fname: string | undefined;
  /** With the name as username. */
  readonly profile: ProfileChange;
  readonly signer: RegisterUserReqBody['signer'];
  /** SHA-256 of the whole body and the wallet. */
  readonly digest: Buffer;
}

const MAX_FID = 2 ** 31 - 1;
/** Time for the transaction to be mined. */
const MIN_DEADLINE_S = 300;

const requireInteger = (value: number, property: string, max: number): number => {
  if (Number.isSafeInteger(value) && value > 0 && value <= max) return value;
  throw invalidField(property, `${property} must be an integer from 1 to ${max}.`);
};

const profileOf = ({ fid, fname, metadata = {} }: RegisterUserReqBody): ProfileChange => {
  const { username = fname, ...rest } = metadata;
  if (username !== undefined && username !== fname) {
    const message = `metadata.username: a new account has no name but the one of fname, and ${username} is not that.`;
    throw invalidField('metadata', message);
  }
  const profile: ProfileChange = { ...rest, ...(username === undefined ? {} : { username }) };
  const nameOwners = new Map(username === undefined ? [] : [[username, fid]]);
  for (const part of profileParts(profile)) {
    if (part.type === UserDataType.USERNAME || part.value !== '') {
      checkProfilePart(
        { ...part, path: `metadata.${part.path}` },
        { fid, isPro: false, verifications: [], nameOwners },
      );
    }
  }
  return profile;
};

/**
 * @param deadline Unix seconds
 * @param now Unix milliseconds
 * @throws AppError invalid if too little time is left for the transaction
 */
export const requireTimeLeft = (deadline: number, now: number): void => {
  if (deadline >= now / 1000 + MIN_DEADLINE_S) return;
  const message = `deadline (${deadline}) must be at least five minutes ahead, in Unix seconds: sign again with a later one.`;
  throw invalidField('deadline', message);
};

/**
 * @param walletId the wallet that pays
 * @throws AppError invalid, with the faulty member
 */
export const readRegistrationRequest = (body: RegisterUserReqBody, walletId: string): RegistrationRequest => {
  const fid = requireInteger(body.fid, 'fid', MAX_FID);
  const deadline = requireInteger(body.deadline, 'deadline', Number.MAX_SAFE_INTEGER);
  const custodyText = body.requested_user_custody_address;
  if (!/^0x[0-9a-fA-F]{40}$/.test(custodyText)) {
    const message = 'requested_user_custody_address must be an address: 0x and 40 hex digits.';
    throw invalidField('requested_user_custody_address', message);
  }
  if (!/^0x([0-9a-fA-F]{2})+$/.test(body.signature)) {
    throw invalidField('signature', 'signature must be 0x and two hex digits for each byte.');
  }
  if (body.fname !== undefined) requireFname(body.fname);
  return {
    fid,
    custody: checkedAddress(custodyText, 'requested_user_custody_address'),
    deadline,
    signature: body.signature as Hex,
    fname: body.fname,
    profile: profileOf(body),
    signer: body.signer,
    digest: createHash('sha256')
      .update(stringify({ walletId, body }) as string, 'utf8')
      .digest(),
  };
};
