import type { Page } from '../hydrate/page.js';
import { displayedUsername, type User } from '../hydrate/user.js';
import { viewEthAddress } from './address.js';
import { flatten, quote, quoteOrNull } from './json.js';

const render = ({ row }: User): string => {
  const custody = row.custodyAddress === null ? '' : `,"custody_address":"${viewEthAddress(row.custodyAddress)}"`;
  return (
    `{"object":"user_dehydrated","fid":${row.fid},"username":${quote(displayedUsername(row))},` +
    `"display_name":${quoteOrNull(row.displayName)},"pfp_url":${quoteOrNull(row.pfpUrl)}${custody},` +
    `"score":${row.score}}`
  );
};

/** @returns `UserDehydrated` of a loaded user */
export const viewUserDehydratedOf = (user: User): string => {
  user.dehydrated ??= flatten(render(user));
  return user.dehydrated;
};

/** @returns `UserDehydrated`; an account that is not stored has only a fid */
export const viewUserDehydrated = (fid: number, { users, accounts }: Pick<Page, 'users' | 'accounts'>): string => {
  const user = users.get(fid) ?? accounts.get(fid);
  return user === undefined ? `{"object":"user_dehydrated","fid":${fid}}` : viewUserDehydratedOf(user);
};
