import { MessageType, UserDataType } from '@farcaster/core';
import { base58 } from '@scure/base';
import { type AppError, invalidField } from '../error.js';
import { bareHex } from '../hex.js';
import { checkUserData } from '../protocol/check/user-data.js';
import { checksumAddress } from '../protocol/eip712.js';
import { Rejection } from '../protocol/verification-result.js';
import type { Draft } from './unsigned-message.js';

/** Changes of a profile. An empty text removes the member; a location and primary addresses can only be replaced. */
export interface ProfileChange {
  readonly banner?: string;
  readonly bio?: string;
  readonly display_name?: string;
  /** Degrees; the protocol stores two decimals, about a kilometre. */
  readonly location?: { readonly latitude: number; readonly longitude: number };
  readonly pfp_url?: string;
  /** 0x and 40 hex digits. */
  readonly primary_eth_address?: string;
  /** Base58. */
  readonly primary_sol_address?: string;
  readonly url?: string;
  readonly username?: string;
  readonly verified_accounts?: { readonly github?: string; readonly x?: string };
}

/** Stored data of the account whose profile changes. */
export interface ProfileFacts {
  readonly fid: number;
  readonly isPro: boolean;
  /** [0 Ethereum or 1 Solana, address as hex without 0x] */
  readonly verifications: readonly (readonly [protocol: number, address: string])[];
  /** The owner of each name by its latest proof; absent without a stored proof, 0 if it was released. */
  readonly nameOwners: ReadonlyMap<string, number>;
}

/** One member of a profile change, which is written as one message. */
export interface ProfilePart {
  /** Its path in the request: `verified_accounts.x`. */
  readonly path: string;
  readonly type: UserDataType;
  /** As the protocol stores it. */
  readonly value: string;
}

type Text = Exclude<keyof ProfileChange, 'location' | 'verified_accounts'>;

const TEXTS: readonly (readonly [Text, UserDataType])[] = [
  ['username', UserDataType.USERNAME],
  ['display_name', UserDataType.DISPLAY],
  ['bio', UserDataType.BIO],
  ['pfp_url', UserDataType.PFP],
  ['banner', UserDataType.BANNER],
  ['url', UserDataType.URL],
  ['primary_eth_address', UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM],
  ['primary_sol_address', UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA],
];

const URLS: ReadonlySet<UserDataType> = new Set([UserDataType.PFP, UserDataType.BANNER, UserDataType.URL]);

/** @returns degrees with two decimals, never `-0.00` */
const decimals = (degrees: number): string => (Math.round(degrees * 100) / 100 + 0).toFixed(2);

/** @returns the members of a change in the protocol's form, unchecked */
export const profileParts = (change: ProfileChange): ProfilePart[] => {
  const parts: ProfilePart[] = [];
  const add = (path: string, type: UserDataType, value: string | undefined): void => {
    if (value !== undefined) parts.push({ path, type, value });
  };
  for (const [path, type] of TEXTS) add(path, type, change[path]);
  const { location, verified_accounts: accounts } = change;
  if (location) {
    const value = `geo:${decimals(location.latitude)},${decimals(location.longitude)}`;
    add('location', UserDataType.LOCATION, value);
  }
  // X ignores the case of names, and the protocol requires lower case.
  add('verified_accounts.x', UserDataType.TWITTER, accounts?.x?.toLowerCase());
  add('verified_accounts.github', UserDataType.GITHUB, accounts?.github);
  return parts.map((part) =>
    part.type === UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM
      ? { ...part, value: checksumAddress(part.value) }
      : part,
  );
};

const rejection = ({ path }: ProfilePart, message: string): AppError =>
  invalidField(path.split('.', 1)[0] as string, `${path}: ${message}`);

const isVerified = (part: ProfilePart, { verifications }: ProfileFacts): boolean => {
  const isSolana = part.type === UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA;
  const hex = isSolana ? bareHex(base58.decode(part.value)) : part.value.slice(2).toLowerCase();
  return verifications.some(([protocol, address]) => protocol === Number(isSolana) && address === hex);
};

/**
 * Checks one member against the protocol's rules and the account's permissions.
 * @throws AppError 'invalid' whose property is the member of the request
 */
export const checkProfilePart = (part: ProfilePart, facts: ProfileFacts): void => {
  const { type, value } = part;
  try {
    checkUserData({ type, value: Buffer.from(value) });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw rejection(part, error.message);
  }
  // Hubs require the subscription even to remove a banner (snapchain validate_user_data_add_body).
  if (type === UserDataType.BANNER && !facts.isPro) throw rejection(part, 'a banner needs a pro subscription');
  if (value === '') return;
  if (URLS.has(type) && !URL.canParse(value)) throw rejection(part, 'this must be an absolute URL, https://...');
  if (type === UserDataType.USERNAME && facts.nameOwners.get(value) !== facts.fid) {
    const who = facts.nameOwners.get(value)
      ? 'belongs to another account'
      : 'belongs to nobody by the proofs stored here';
    throw rejection(part, `the name ${value} ${who}: claim it first, then set it`);
  }
  const isPrimary =
    type === UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM || type === UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA;
  if (isPrimary && !isVerified(part, facts)) {
    throw rejection(part, `${value} is no verified address of fid ${facts.fid}: verify it first`);
  }
};

export const draftUserData = ({ type, value }: ProfilePart): Draft => ({
  type: MessageType.USER_DATA_ADD,
  userDataBody: { type, value },
});
