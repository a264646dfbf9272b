import { base58 } from '@scure/base';
import { isChecksumAddress } from '../eip712.js';
import {
  MAX_DISPLAY_NAME_BYTES,
  MAX_GITHUB_BYTES,
  MAX_TWITTER_BYTES,
  MAX_USER_DATA_BYTES,
  SOL_ADDRESS_BYTES,
} from '../limit.js';
import { Rejection } from '../verification-result.js';
import type { UserDataBody } from '../wire/body.js';
import { checkUsername } from './username.js';

type Rule = (value: string, length: number) => void;

const atMost =
  (name: string, max: number): Rule =>
  (_value, length) => {
    if (length > max) throw new Rejection('bad_user_data', `${name} has at most ${max} bytes, this one ${length}`);
  };

const matching =
  (name: string, pattern: RegExp, max: number): Rule =>
  (value, length) => {
    if (value === '') return;
    atMost(name, max)(value, length);
    if (!pattern.test(value)) throw new Rejection('bad_user_data', `${name} does not match ${pattern.source}`);
  };

const checkLocation = (value: string): void => {
  if (value === '') return;
  const [, latitude, longitude] = /^geo:(-?\d{1,2}\.\d{2}),(-?\d{1,3}\.\d{2})$/.exec(value) ?? [];
  if (latitude === undefined || longitude === undefined) {
    throw new Rejection('bad_user_data', 'a location is written geo:LAT,LONG with two decimals each');
  }
  if (Math.abs(Number(latitude)) > 90) throw new Rejection('bad_user_data', 'a latitude lies between -90 and 90');
  if (Math.abs(Number(longitude)) > 180) throw new Rejection('bad_user_data', 'a longitude lies between -180 and 180');
};

/** Maximum length of a 32-byte address in base58. */
const MAX_BASE58_LENGTH = 44;

const checkPrimaryEthAddress = (value: string): void => {
  if (value === '') return;
  if (!isChecksumAddress(value)) {
    throw new Rejection('bad_address', 'a primary Ethereum address is 0x and 40 hex digits in EIP-55 checksum case');
  }
};

const checkPrimarySolAddress = (value: string): void => {
  if (value === '') return;
  let length = 0;
  try {
    // The time to decode base58 grows with the square of the length.
    if (value.length <= MAX_BASE58_LENGTH) length = base58.decode(value).length;
  } catch {
    // The length stays 0 for characters that are not base58, so the check below fails.
  }
  if (length !== SOL_ADDRESS_BYTES) {
    throw new Rejection('bad_address', `a primary Solana address is ${SOL_ADDRESS_BYTES} bytes in base58`);
  }
};

/** By `UserDataType`. An empty value unsets every member but one. */
const RULES: Readonly<Record<number, Rule>> = {
  1: atMost('a profile picture', MAX_USER_DATA_BYTES),
  2: atMost('a display name', MAX_DISPLAY_NAME_BYTES),
  3: atMost('a bio', MAX_USER_DATA_BYTES),
  5: atMost('a URL', MAX_USER_DATA_BYTES),
  6: (value) => value === '' || checkUsername(value),
  7: checkLocation,
  8: matching('a Twitter name', /^[a-z0-9_]{0,15}$/, MAX_TWITTER_BYTES),
  // The only member that cannot be unset (snapchain 0.14.2, `validate_github_username` in message.rs).
  9: (value, length) => {
    if (value === '') throw new Rejection('bad_user_data', 'a GitHub name cannot be empty');
    matching('a GitHub name', /^[a-zA-Z\d](?:[a-zA-Z\d]|-(?!-)){0,38}$/, MAX_GITHUB_BYTES)(value, length);
  },
  10: atMost('a banner', MAX_USER_DATA_BYTES),
  11: checkPrimaryEthAddress,
  12: checkPrimarySolAddress,
  // CAIP-19: chain id, asset namespace and reference, optional token id.
  13: matching(
    'a profile token',
    /^[a-z0-9]+:[a-zA-Z0-9]+\/[a-z0-9-]{3,8}:[-.%a-zA-Z0-9]{1,128}(\/[a-zA-Z0-9]+)?$/,
    MAX_USER_DATA_BYTES,
  ),
  14: atMost('a live activity', MAX_USER_DATA_BYTES),
};

/** @throws Rejection if a profile member is unknown or violates the hubs' rule for it */
export const checkUserData = (body: UserDataBody): void => {
  const rule = RULES[body.type];
  if (rule === undefined) throw new Rejection('bad_user_data', `${body.type} is no type of user data`);
  rule(Buffer.from(body.value).toString('utf8'), body.value.length);
};
