import Type, { type Static } from 'typebox';
import type { Account, Profile } from '../hydrate/account.js';
import type { Entities } from '../hydrate/entities.js';
import type { Fragment } from '../hydrate/fragment.js';
import type { Hydration } from '../hydrate/hydrate.js';
import { inOf, keepIn } from '../hydrate/per-dialect.js';
import { LINK, type Viewer } from '../hydrate/viewer.js';
import { toIso } from '../protocol/time.js';
import { User, type UserAuthAddress, type UserPro, type UserVerifiedAccount } from '../schema/user.js';
import type { Dialect } from '../schema/wire-names.js';
import { viewEthAddress, viewSolAddress, ZERO_ADDRESS } from './address.js';
import { currentFragment, fragmentBytes } from './entity-fragment.js';
import type { JsonWriter } from './json-writer.js';
import { dialectSerializer, serializer } from './serializer.js';
import { viewUserDehydrated, viewUsername } from './user-dehydrated.js';
import { viewUserProfile } from './user-profile.js';

/** What ends a user: what changes often, and what dialects call otherwise. All the rest is the same bytes in each. */
const UserTail = Type.Pick(User, ['experimental', 'follower_count', 'following_count']);
const serializeTail = dialectSerializer(UserTail);

/** A user without its tail and what depends on the viewer. */
const UserAlone = Type.Omit(User, ['experimental', 'follower_count', 'following_count', 'viewer_context']);
const serialize = serializer(UserAlone);

const viewVerifiedAddresses = ({ row }: Profile) => {
  const addresses = (protocol: number): string[] =>
    (row.verifications ?? []).filter(([of]) => of === protocol).map(([, address]) => address);
  const [eth, sol] = [addresses(0), addresses(1)];
  // The protocol lets a primary address outlive its verification; it must be one of the verified ones here.
  const primary = (address: string | null, verified: string[]) =>
    address !== null && verified.includes(address) ? address : undefined;
  const primaryEth = primary(row.primary_eth_address, eth);
  const primarySol = primary(row.primary_sol_address, sol);
  return {
    eth_addresses: eth.map(viewEthAddress),
    sol_addresses: sol.map(viewSolAddress),
    primary: {
      eth_address: primaryEth === undefined ? null : viewEthAddress(primaryEth),
      sol_address: primarySol === undefined ? null : viewSolAddress(primarySol),
    },
  };
};

const viewVerifiedAccounts = ({ row }: Profile): UserVerifiedAccount[] => [
  ...(row.x_username ? [{ platform: 'x' as const, username: row.x_username }] : []),
  ...(row.github_username ? [{ platform: 'github' as const, username: row.github_username }] : []),
];

/** An auth address is the last 20 of its key's 32 bytes. One whose app is not known cannot be shown. */
const viewAuthAddresses = ({ row }: Profile, page: Entities): UserAuthAddress[] =>
  (row.auth_keys ?? []).flatMap(([key, fid]) =>
    fid === null
      ? []
      : [{ address: viewEthAddress(key.slice(-40)), app: viewUserDehydrated(fid, page.accounts.get(fid)) }],
  );

const viewPro = ({ row }: Profile, now: number): { pro?: UserPro } => {
  const { pro_subscribed_at: from, pro_expires_at: until } = row;
  if (from === null || until === null) return {};
  return {
    pro: {
      status: until > now ? 'subscribed' : 'unsubscribed',
      subscribed_at: new Date(from).toISOString(),
      expires_at: new Date(until).toISOString(),
    },
  };
};

const registeredAt = ({ row }: Profile): string =>
  row.registered_at === null ? toIso(row.first_ts ?? 0) : new Date(row.registered_at).toISOString();

const viewUserAlone = (profile: Profile, page: Entities): Static<typeof UserAlone> => {
  const { row } = profile;
  const addresses = viewVerifiedAddresses(profile);
  return {
    object: 'user',
    fid: row.fid,
    username: viewUsername(profile),
    display_name: row.display_name,
    pfp_url: row.pfp_url,
    custody_address: row.custody_address === null ? ZERO_ADDRESS : viewEthAddress(row.custody_address),
    registered_at: registeredAt(profile),
    profile: viewUserProfile(profile, page),
    verifications: addresses.eth_addresses,
    verified_addresses: addresses,
    verified_accounts: viewVerifiedAccounts(profile),
    auth_addresses: viewAuthAddresses(profile, page),
    ...viewPro(profile, page.now),
    score: row.score,
  };
};

const NOTHING: readonly unknown[] = [];

/** The other entities that a user's fragment shows. */
const partsOf = ({ row, bioNames, bioChannels }: Profile, page: Entities): readonly unknown[] => {
  if (bioNames.length === 0 && bioChannels.length === 0 && row.auth_keys === null) return NOTHING;
  const profileOf = (fid: number | null | undefined) => (fid == null ? undefined : page.accounts.get(fid)?.profile);
  return [
    ...bioNames.map((token) => profileOf(page.fidsByUsername.get(token.value))),
    ...bioChannels.map((token) => page.channels.get(token.value)),
    ...(row.auth_keys ?? []).map(([, fid]) => profileOf(fid)),
  ];
};

const expiry = ({ row }: Profile, now: number): number => {
  const until = row.pro_expires_at ?? 0;
  return until > now ? until : Number.POSITIVE_INFINITY;
};

const renderUser = (profile: Profile, parts: readonly unknown[], page: Entities): Fragment => {
  const bytes = fragmentBytes(serialize(viewUserAlone(profile, page)).slice(0, -1));
  profile.user = { bytes, from: parts, until: expiry(profile, page.now) };
  return profile.user;
};

const renderTail = (account: Account, dialect: Dialect): Buffer => {
  const kept = inOf(account.tail, dialect);
  if (kept !== undefined) return kept;
  const { followerCount: follower_count, followingCount: following_count, profile } = account;
  const experimental = { service_user_score: profile.row.score };
  const json = serializeTail({ experimental, follower_count, following_count }, dialect);
  return keepIn(account.tail, dialect, fragmentBytes(`,${json.slice(1)}`));
};

/** Writes `User` without `viewer_context`. @returns Unix milliseconds until which it may be shown as it is. */
export const writeUserAlone = (json: JsonWriter, account: Account, page: Entities): number => {
  const { profile } = account;
  const parts = partsOf(profile, page);
  const { bytes, until } = currentFragment(profile.user, parts, page.now, () => renderUser(profile, parts, page));
  json.bytes(bytes);
  json.bytes(renderTail(account, page.dialect));
  return until;
};

const everyContext = Array.from({ length: 16 }, (_, links) => {
  const is = (mask: number): boolean => (links & mask) !== 0;
  return fragmentBytes(
    `,"viewer_context":{"following":${is(LINK.following)},"followed_by":${is(LINK.followedBy)},` +
      `"blocking":${is(LINK.blocking)},"blocked_by":${is(LINK.blockedBy)}}}`,
  );
});

/**
 * @returns the member of `User` that says how it stands to the viewer, with a comma before it and the brace behind it
 *   that ends the user.
 */
export const viewerContext = (fid: number, viewer: Viewer): Buffer => everyContext[viewer.links(fid)] as Buffer;

/** Writes `User`: what the account says of itself, its counters, and how it stands to the viewer if one is named. */
export const writeUser = (json: JsonWriter, account: Account, page: Hydration): void => {
  const { profile } = account;
  const { fid } = profile.row;
  const whole = page.wholeUsers.get(fid);
  if (whole !== undefined) {
    json.bytes(whole.bytes);
    json.bytes(renderTail(account, page.dialect));
  } else {
    const trace = page.trace();
    trace.begin();
    writeUserAlone(json, account, trace.entities);
    trace.finishUser(profile);
  }
  if (page.viewer === undefined) return;
  json.back(1);
  json.bytes(viewerContext(fid, page.viewer));
};

/** Writes the `User` of a fid. @returns false, and nothing is written, when the account is not in the page */
export const writeUserOf = (json: JsonWriter, fid: number, page: Hydration): boolean => {
  const account = page.accounts.get(fid);
  if (account === undefined) return false;
  writeUser(json, account, page);
  return true;
};

/** @returns what an account is called in the log. */
export const userName = (fid: number): string => `user ${fid}`;
