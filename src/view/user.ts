import { Protocol } from '@farcaster/core';
import type { Account } from '../hydrate/account.js';
import type { Page } from '../hydrate/page.js';
import { LINK } from '../hydrate/relation.js';
import { displayedUsername } from '../hydrate/user.js';
import { toIso, unixMsToIso } from '../protocol/time.js';
import { type Dialect, wireName } from '../schema/wire-names.js';
import { viewEthAddress, viewSolAddress, ZERO_ADDRESS } from './address.js';
import { flatten, quote, quoteOrNull } from './json.js';
import { viewUserDehydrated } from './user-dehydrated.js';
import { viewUserProfile } from './user-profile.js';

/** Members of an account without verified addresses, which is the most frequent case. */
const NO_ADDRESSES =
  '"verifications":[],"verified_addresses":{"eth_addresses":[],"sol_addresses":[],' +
  '"primary":{"eth_address":null,"sol_address":null}}';

const viewAddresses = ({ verifications, primaryEthAddress, primarySolAddress }: Account['row']): string => {
  if (verifications === null) return NO_ADDRESSES;
  const addresses = (protocol: number): string[] =>
    verifications.flatMap(([of, address]) => (of === protocol ? [address] : []));
  const list = (texts: readonly string[]): string => (texts.length === 0 ? '[]' : `["${texts.join('","')}"]`);
  const [eth, sol] = [addresses(Protocol.ETHEREUM), addresses(Protocol.SOLANA)];
  // A hub removes a primary address with its verification, but not when it prunes that; the interface requires a
  // verified one.
  const primary = (address: string | null, verified: readonly string[], view: (hex: string) => string): string =>
    address !== null && verified.includes(address) ? `"${view(address)}"` : 'null';
  const ethAddresses = list(eth.map(viewEthAddress));
  return (
    `"verifications":${ethAddresses},"verified_addresses":{"eth_addresses":${ethAddresses},` +
    `"sol_addresses":${list(sol.map(viewSolAddress))},` +
    `"primary":{"eth_address":${primary(primaryEthAddress, eth, viewEthAddress)},` +
    `"sol_address":${primary(primarySolAddress, sol, viewSolAddress)}}}`
  );
};

const viewVerifiedAccounts = ({ xUsername, githubUsername }: Account['row']): string => {
  const accounts: string[] = [];
  if (xUsername) accounts.push(`{"platform":"x","username":${quote(xUsername)}}`);
  if (githubUsername) accounts.push(`{"platform":"github","username":${quote(githubUsername)}}`);
  return accounts.join();
};

const ADDRESS_DIGITS = 40;

/** An auth address is the last 20 of its key's 32 bytes. It is shown only if its app is known. */
const viewAuthAddresses = ({ row, authApps }: Account): string =>
  row.authKeys
    ?.flatMap(([key, fid]) => {
      if (fid === null) return [];
      const address = viewEthAddress(key.slice(-ADDRESS_DIGITS));
      return [`{"address":"${address}","app":${viewUserDehydrated(fid, { users: authApps, accounts: new Map() })}}`];
    })
    .join() ?? '';

const viewPro = ({ row: { proSubscribedAt: from, proExpiresAt: until }, isPro }: Account): string => {
  if (from === null || until === null) return '';
  const [subscribed, expires] = [new Date(from).toISOString(), new Date(until).toISOString()];
  const status = isPro ? 'subscribed' : 'unsubscribed';
  return `"pro":{"status":"${status}","subscribed_at":"${subscribed}","expires_at":"${expires}"},`;
};

const registeredAt = ({ registeredAt, firstTs }: Account['row']): string =>
  registeredAt === null ? toIso(firstTs ?? 0) : unixMsToIso(registeredAt);

/** Without names of members, which differ by dialect. */
const DEPRECATION_NOTICE = 'Deprecated: the user itself has the same number. Read it there.';
const experimental = (dialect: Dialect): string =>
  `"deprecation_notice":"${DEPRECATION_NOTICE}","${wireName('service_user_score', dialect)}"`;
const EXPERIMENTAL = { neutral: experimental('neutral'), ecosystem: experimental('ecosystem') };

/** Everything except `viewer_context`, without the closing brace. */
const render = (account: Account, page: Page): string => {
  const { row } = account;
  const custody = row.custodyAddress === null ? ZERO_ADDRESS : viewEthAddress(row.custodyAddress);
  return (
    `{"object":"user","fid":${row.fid},"username":${quote(displayedUsername(row))},` +
    `"display_name":${quoteOrNull(row.displayName)},"pfp_url":${quoteOrNull(row.pfpUrl)},` +
    `"custody_address":"${custody}","registered_at":"${registeredAt(row)}","profile":${viewUserProfile(account, page)},` +
    `${viewAddresses(row)},"verified_accounts":[${viewVerifiedAccounts(row)}],` +
    `"auth_addresses":[${viewAuthAddresses(account)}],${viewPro(account)}"score":${row.score},` +
    `"follower_count":${row.followerCount},"following_count":${row.followingCount},` +
    `"experimental":{${EXPERIMENTAL[page.dialect]}:${row.score}}`
  );
};

/** Indexed by the bits of `LINK`. */
const VIEWER_CONTEXTS = Array.from({ length: 16 }, (_, links) => {
  const is = (bit: number): boolean => (links & bit) !== 0;
  return (
    `,"viewer_context":{"following":${is(LINK.following)},"followed_by":${is(LINK.followedBy)},` +
    `"blocking":${is(LINK.blocking)},"blocked_by":${is(LINK.blockedBy)}}`
  );
});

/** The rendered account, cached with it unless a channel in its bio says what the viewer is to it. */
const rendered = (account: Account, page: Page): string => {
  if (page.viewer !== undefined && account.bioChannels.length > 0) return render(account, page);
  account.json[page.dialect] ??= flatten(render(account, page));
  return account.json[page.dialect] as string;
};

/** @returns `User`, with the relation to the viewer if the page has one */
export const viewUser = (account: Account, page: Page): string => {
  const { relation } = page;
  const context = relation === undefined ? '' : VIEWER_CONTEXTS[relation.links(account.row.fid)];
  return `${rendered(account, page)}${context}}`;
};

/** @returns `User` of a fid; undefined if the account is not in the page */
export const viewUserOf = (fid: number, page: Page): string | undefined => {
  const account = page.accounts.get(fid);
  return account === undefined ? undefined : viewUser(account, page);
};

/** @returns the name of an account in the log */
export const userName = (fid: number): string => `user ${fid}`;
