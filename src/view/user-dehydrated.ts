import type { Account, Profile } from '../hydrate/account.js';
import { UserDehydrated } from '../schema/user-dehydrated.js';
import { viewEthAddress } from './address.js';
import { fragmentBytes } from './entity-fragment.js';
import { serializer } from './serializer.js';

/** @returns the name an account goes by: its username, or `!` and its fid when it has none. */
export const viewUsername = ({ row }: Profile): string => row.username || `!${row.fid}`;

/** @param account undefined: an account that is referred to but not stored; only its fid is known. */
export const viewUserDehydrated = (fid: number, account: Account | undefined): UserDehydrated => {
  if (account === undefined) return { object: 'user_dehydrated', fid };
  const { row } = account.profile;
  return {
    object: 'user_dehydrated',
    fid,
    username: viewUsername(account.profile),
    display_name: row.display_name,
    pfp_url: row.pfp_url,
    ...(row.custody_address === null ? {} : { custody_address: viewEthAddress(row.custody_address) }),
    score: row.score,
  };
};

const serialize = serializer(UserDehydrated);

/** @returns the same as JSON, rendered once for each state of the profile. */
export const renderUserDehydrated = (fid: number, account: Account | undefined): Buffer => {
  if (account === undefined) return Buffer.from(serialize(viewUserDehydrated(fid, undefined)));
  account.profile.dehydrated ??= fragmentBytes(serialize(viewUserDehydrated(fid, account)));
  return account.profile.dehydrated;
};
