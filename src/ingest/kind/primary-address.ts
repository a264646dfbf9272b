import { MessageType, Protocol, UserDataType } from '@farcaster/core';
import { base58 } from '@scure/base';
import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import { encodeVarint } from '../../protocol/wire/wire.js';
import type { MessageKey } from '../../store/protocol/message.js';
import { selectVerifications, type VerificationRow } from '../../store/protocol/verification.js';
import { isFromHub, type MessageCandidate } from '../candidate.js';
import type { InvalidOutcome } from '../ingest-outcome.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

type Address = Pick<VerificationRow, 'fid' | 'protocol' | 'address'>;

const TYPES: Readonly<Record<number, UserDataType>> = {
  [Protocol.ETHEREUM]: UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM,
  [Protocol.SOLANA]: UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA,
};

/** @returns the address that user data names as the primary one; undefined for other messages, and for an empty value */
export const primaryAddressOf = (message: StoredMessage): Address | undefined => {
  const { userDataBody } = decodedOf(message).data;
  if (!userDataBody?.value) return undefined;
  const { type, value } = userDataBody;
  const { fid } = message;
  if (type === TYPES[Protocol.ETHEREUM])
    return { fid, protocol: Protocol.ETHEREUM, address: Buffer.from(value.slice(2), 'hex') };
  return type === TYPES[Protocol.SOLANA]
    ? { fid, protocol: Protocol.SOLANA, address: base58.decode(value) }
    : undefined;
};

/** @returns a text that is equal for the same address of the same account */
export const addressKeyOf = ({ fid, protocol, address }: Address): string =>
  `address ${fid} ${protocol} ${bareHex(address)}`;

const isVerification = ({ messageSet }: Pick<StoredMessage, 'messageSet'>): boolean =>
  messageSet === MessageSet.verification;

/** @returns the keys of the user data that may name the address of this verification as the primary one */
export const primaryAddressKeys = (message: StoredMessage): MessageKey[] => {
  const type = isVerification(message) ? TYPES[message.subtype] : undefined;
  if (type === undefined) return [];
  return [{ fid: message.fid, messageSet: MessageSet.userData, key: encodeVarint(type) }];
};

/**
 * @returns whether a hub revokes this user data when `message` takes the place of the verification `replaced`: it does
 *   if it names that address, also when the address is only verified again. Files and hubs send the resulting state,
 *   in which the address may have been named after it was verified again.
 * @source snapchain 0.14.2, `handle_delete_side_effects` and `check_and_revoke_primary_address` (`engine.rs`)
 */
export const revokesPrimaryAddress = (
  { message, options }: MessageCandidate,
  replaced: StoredMessage,
  userData: StoredMessage,
): boolean => {
  if (replaced.type !== MessageType.VERIFICATION_ADD_ETH_ADDRESS) return false;
  if (message.type !== MessageType.VERIFICATION_REMOVE && options.source !== 'local') return false;
  const named = primaryAddressOf(userData);
  const address = { fid: replaced.fid, protocol: replaced.subtype, address: replaced.key };
  return named !== undefined && addressKeyOf(named) === addressKeyOf(address);
};

/**
 * Rejects primary addresses that the account has not verified. A hub has checked those that it sends.
 * @returns the error of each rejected candidate
 * @source snapchain 0.14.2, `verify_fid_owns_address` (`engine.rs`)
 */
export const rejectUnverifiedAddresses = async (
  session: Session,
  candidates: readonly MessageCandidate[],
): Promise<Map<MessageCandidate, InvalidOutcome>> => {
  const named = new Map<MessageCandidate, Address>();
  for (const candidate of candidates) {
    const address = isFromHub(candidate) ? undefined : primaryAddressOf(candidate.message);
    if (address !== undefined) named.set(candidate, address);
  }
  const refused = new Map<MessageCandidate, InvalidOutcome>();
  if (named.size === 0) return refused;
  const verified = new Set((await selectVerifications(session, [...named.values()])).map(addressKeyOf));
  for (const [candidate, address] of named) {
    if (verified.has(addressKeyOf(address))) continue;
    const detail = `No verification of the primary address by fid ${address.fid} is stored.`;
    refused.set(candidate, { status: 'invalid', reason: 'unverified_address', detail });
  }
  return refused;
};
