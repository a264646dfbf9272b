import { UserDataType } from '@farcaster/core';
import { base58 } from '@scure/base';
import { insertPlacesOf, type ProfileColumn, updateProfileColumn } from '../../store/account.js';
import type { Session } from '../../store/database.js';
import { PLACES } from '../../store/tag.js';
import { storable } from '../../store/text.js';
import type { BatchChanges } from '../batch-changes.js';
import { decodedOf, type Held } from '../stored-message.js';
import type { Transition } from '../merge.js';

type Values = Partial<Record<ProfileColumn, unknown>>;

const text =
  (column: ProfileColumn) =>
  (value: string): Values => ({ [column]: storable(value) });

/** As hubs accept it: decimal degrees with two decimals, which is about a kilometre. */
const COORDINATE = /^geo:(-?\d{1,2}\.\d{2}),(-?\d{1,3}\.\d{2})$/;

/** @returns degrees; `-0.00` is 0. */
const degrees = (text: string | undefined): number => Number(text) + 0;

/** `geo:<latitude>,<longitude>`; anything else is no place, and the account is nowhere then. */
const location = (value: string): Values => {
  const match = COORDINATE.exec(value);
  const latitude = degrees(match?.[1]);
  const longitude = degrees(match?.[2]);
  const isPlace = match !== null && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return {
    location: storable(value),
    latitude: isPlace ? latitude : null,
    longitude: isPlace ? longitude : null,
  };
};

const ethAddress = (value: string): Values => ({
  primary_eth_address: /^0x[0-9a-fA-F]{40}$/.test(value) ? Buffer.from(value.slice(2), 'hex') : null,
});

const SOL_ADDRESS_BYTES = 32;

/** @returns the bytes of a base58 text; undefined when it is none. */
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

/** What a profile takes from each kind of user data. An empty value takes the thing away. */
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
  const held = (after ?? before) as Held;
  const reader = READERS[held.subtype];
  if (!reader) return {};
  const value = after === undefined ? '' : (decodedOf(after).data.userDataBody?.value ?? '');
  const values = reader(value, held.ts);
  return value === '' ? Object.fromEntries(Object.keys(values).map((column) => [column, null])) : values;
};

/** @returns what these messages of one account say its profile is. */
export const profileOf = (rows: readonly Held[]): Values =>
  Object.assign({}, ...rows.map((row) => valuesOf({ before: undefined, after: row })));

/**
 * User data that came or went, as the columns of the accounts' rows.
 * @returns the fids whose claimed name changed, for `updateUsernames`.
 */
export const ingestUserData = async (session: Session, transitions: readonly Transition[], changes: BatchChanges) => {
  const columns = new Map<ProfileColumn, Map<number, unknown>>();
  for (const transition of transitions) {
    const { fid } = (transition.after ?? transition.before) as Held;
    for (const [column, value] of Object.entries(valuesOf(transition)) as [ProfileColumn, unknown][]) {
      const values = columns.get(column) ?? new Map();
      columns.set(column, values.set(fid, value));
    }
  }
  const renamed: number[] = [];
  const moved: number[] = [];
  for (const [column, values] of columns) {
    const changed = await updateProfileColumn(session, column, values);
    // Which name an account shows is decided later, from what all accounts claim.
    if (column === 'claimed_username') renamed.push(...changed);
    else changes.invalidateProfiles(changed);
    if (column === 'latitude' || column === 'longitude') moved.push(...changed);
  }
  if (moved.length > 0) changes.invalidate(PLACES);
  await insertPlacesOf(session, moved);
  return renamed;
};
