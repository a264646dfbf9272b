import { UserDataType } from '@farcaster/core';
import { base58 } from '@scure/base';
import type { Session } from '../../db/statement.js';
import { SOL_ADDRESS_BYTES } from '../../protocol/limit.js';
import { insertLocations, type ProfileColumn, updateProfileColumn } from '../../store/protocol/account.js';
import { storable } from '../../store/protocol/text.js';
import { PLACES } from '../../store/tag.js';
import type { BatchChanges } from '../batch-changes.js';
import type { Transition } from '../merge.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';

type Values = Partial<Record<ProfileColumn, unknown>>;

const text =
  (column: ProfileColumn) =>
  (value: string): Values => ({ [column]: storable(value) });

/** As hubs accept it: degrees with two decimals, which is about a kilometre. */
const COORDINATE = /^geo:(-?\d{1,2}\.\d{2}),(-?\d{1,3}\.\d{2})$/;

/** @returns degrees; `-0.00` is 0. */
const degrees = (text: string | undefined): number => Number(text) + 0;

/** `geo:<latitude>,<longitude>`; other values are no location. */
const location = (value: string): Values => {
  const match = COORDINATE.exec(value);
  const latitude = degrees(match?.[1]);
  const longitude = degrees(match?.[2]);
  const isValid = match !== null && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return {
    location: storable(value),
    latitude: isValid ? latitude : null,
    longitude: isValid ? longitude : null,
  };
};

const ethAddress = (value: string): Values => ({
  primary_eth_address: /^0x[0-9a-fA-F]{40}$/.test(value) ? Buffer.from(value.slice(2), 'hex') : null,
});

/** @returns the bytes of a base58 text; undefined for an invalid one */
const base58Bytes = (text: string): Uint8Array | undefined => {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
};

const solAddress = (value: string): Values => {
  const bytes = base58Bytes(value);
  return { primary_sol_address: bytes?.length === SOL_ADDRESS_BYTES ? Buffer.from(bytes) : null };
};

/** How each type of user data changes a profile. An empty value removes the entry. */
const READERS: Readonly<Record<number, (value: string, ts: number) => Values>> = {
  [UserDataType.PFP]: text('pfp_url'),
  [UserDataType.DISPLAY]: text('display_name'),
  [UserDataType.BIO]: text('bio'),
  [UserDataType.URL]: text('url'),
  [UserDataType.USERNAME]: text('claimed_username'),
  [UserDataType.LOCATION]: location,
  [UserDataType.TWITTER]: text('x_username'),
  [UserDataType.GITHUB]: text('github_username'),
  [UserDataType.BANNER]: text('banner_url'),
  [UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM]: ethAddress,
  [UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA]: solAddress,
  [UserDataType.PROFILE_TOKEN]: text('profile_token'),
  [UserDataType.LIVE_AT]: (value, ts) => ({ live_url: storable(value), live_ts: ts }),
};

const valuesOf = ({ before, after }: Transition): Values => {
  const message = (after ?? before) as StoredMessage;
  const reader = READERS[message.subtype];
  if (!reader) return {};
  const value = after === undefined ? '' : (decodedOf(after).data.userDataBody?.value ?? '');
  const values = reader(value, message.ts);
  return value === '' ? Object.fromEntries(Object.keys(values).map((column) => [column, null])) : values;
};

/** @returns the profile according to these messages of one account */
export const profileOf = (rows: readonly StoredMessage[]): Values =>
  Object.assign({}, ...rows.map((row) => valuesOf({ before: undefined, after: row })));

/**
 * Stores added and removed user data as columns of accounts.
 * @returns the fids whose claimed name changed, for `updateUsernames`
 */
export const ingestUserData = async (session: Session, transitions: readonly Transition[], changes: BatchChanges) => {
  const columns = new Map<ProfileColumn, Map<number, unknown>>();
  for (const transition of transitions) {
    const { fid } = (transition.after ?? transition.before) as StoredMessage;
    for (const [column, value] of Object.entries(valuesOf(transition)) as [ProfileColumn, unknown][]) {
      const values = columns.get(column) ?? new Map();
      columns.set(column, values.set(fid, value));
    }
  }
  const renamed: number[] = [];
  const relocated: number[] = [];
  for (const [column, values] of columns) {
    const changed = await updateProfileColumn(session, column, values);
    // The username of an account is decided later, from the claims of all accounts.
    if (column === 'claimed_username') renamed.push(...changed);
    else changes.invalidateProfiles(changed);
    if (column === 'latitude' || column === 'longitude') relocated.push(...changed);
  }
  if (relocated.length > 0) changes.invalidate(PLACES);
  await insertLocations(session, relocated);
  return renamed;
};
