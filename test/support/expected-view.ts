import type { Account } from '../../src/hydrate/account.js';
import type { Cast } from '../../src/hydrate/cast.js';
import type { Channel } from '../../src/hydrate/channel.js';
import type { Page } from '../../src/hydrate/page.js';
import { LINK, REACTION } from '../../src/hydrate/relation.js';
import { channelTokens } from '../../src/hydrate/text-token.js';
import type { User } from '../../src/hydrate/user.js';
import { castText } from '../../src/protocol/cast-text.js';
import { viewSolAddress } from '../../src/view/address.js';
import { isUri } from '../../src/view/uri.js';

/** Expected results of src/view as objects, member by member. Undefined members are absent. */
type Plain = Record<string, unknown>;

const iso = (ts: number): string => new Date(Date.UTC(2021, 0, 1) + ts * 1000).toISOString();
const isoOf = (unixMs: number): string => new Date(unixMs).toISOString();
const plainHash = (hash: string): string => `0x${hash}`;
const range = ({ start, end }: { start: number; end: number }) => ({ start, end });
const listOf = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);
const nameOf = ({ username, fid }: User['row']): string =>
  username === null || username === '' ? `!${fid}` : username;

const userOf = ({ row }: User): Plain => ({
  object: 'user_dehydrated',
  fid: row.fid,
  username: nameOf(row),
  display_name: row.display_name,
  pfp_url: row.pfp_url,
  custody_address: row.custody_address === null ? undefined : `0x${row.custody_address}`,
  score: row.score,
});

/** `UserDehydrated` */
export const plainUserDehydrated = (fid: number, page: Pick<Page, 'users' | 'accounts'>): Plain => {
  const user = page.users.get(fid) ?? page.accounts.get(fid);
  return user === undefined ? { object: 'user_dehydrated', fid } : userOf(user);
};

const channelContextOf = (fid: number | undefined, { id }: Channel['row'], page: Page): Plain | undefined => {
  if (fid === undefined) return undefined;
  const relation = page.channelRelations.get(`${fid} ${id}`);
  return { following: relation?.following ?? false, role: relation?.role ?? undefined };
};

const dehydratedChannel = ({ row }: Channel, page: Page): Plain => ({
  object: 'channel_dehydrated',
  id: row.id,
  name: row.name,
  image_url: row.image_url ?? undefined,
  viewer_context: channelContextOf(page.viewer, row, page),
});

const profileOf = ({ row, bioUsers, bioChannels, address }: Account, page: Page): Plain => ({
  bio: {
    text: row.bio ?? '',
    mentioned_profiles: listOf(bioUsers.map(({ named }) => userOf(named))),
    mentioned_profiles_ranges: listOf(bioUsers.map(({ token }) => range(token))),
    mentioned_channels: listOf(bioChannels.map(({ named }) => dehydratedChannel(named, page))),
    mentioned_channels_ranges: listOf(bioChannels.map(({ token }) => range(token))),
  },
  banner: row.banner_url !== null && isUri(row.banner_url) ? { url: row.banner_url } : undefined,
  location:
    row.latitude === null || row.longitude === null
      ? undefined
      : { latitude: row.latitude, longitude: row.longitude, address },
  live_at:
    row.live_ts === null
      ? undefined
      : {
          url: row.live_url ?? '',
          updated_at: iso(row.live_ts),
          is_live: row.live_url !== null && row.live_url !== '',
        },
});

const addressesOf = ({ row }: Account) => {
  const of = (protocol: number) => (row.verifications ?? []).filter(([one]) => one === protocol).map(([, hex]) => hex);
  const [eth, sol] = [of(0), of(1)];
  const { primary_eth_address: primaryEth, primary_sol_address: primarySol } = row;
  return {
    eth_addresses: eth.map((hex) => `0x${hex}`),
    sol_addresses: sol.map(viewSolAddress),
    primary: {
      eth_address: primaryEth !== null && eth.includes(primaryEth) ? `0x${primaryEth}` : null,
      sol_address: primarySol !== null && sol.includes(primarySol) ? viewSolAddress(primarySol) : null,
    },
  };
};

const proOf = ({ row: { pro_subscribed_at: from, pro_expires_at: until }, isPro }: Account): Plain | undefined =>
  from === null || until === null
    ? undefined
    : { status: isPro ? 'subscribed' : 'unsubscribed', subscribed_at: isoOf(from), expires_at: isoOf(until) };

/** `User`; undefined when the account is not in the page. */
export const plainUser = (fid: number, page: Page): Plain | undefined => {
  const account = page.accounts.get(fid);
  if (account === undefined) return undefined;
  const { row } = account;
  const links = page.relation?.links(fid) ?? 0;
  const addresses = addressesOf(account);
  return {
    object: 'user',
    fid,
    username: nameOf(row),
    display_name: row.display_name,
    pfp_url: row.pfp_url,
    custody_address: `0x${row.custody_address ?? '0'.repeat(40)}`,
    registered_at: row.registered_at === null ? iso(row.first_ts ?? 0) : isoOf(row.registered_at),
    profile: profileOf(account, page),
    verifications: addresses.eth_addresses,
    verified_addresses: addresses,
    verified_accounts: [
      ...(row.x_username ? [{ platform: 'x', username: row.x_username }] : []),
      ...(row.github_username ? [{ platform: 'github', username: row.github_username }] : []),
    ],
    auth_addresses: (row.auth_keys ?? []).flatMap(([key, app]) =>
      app === null
        ? []
        : [
            {
              address: `0x${key.slice(24)}`,
              app: plainUserDehydrated(app, { users: account.authApps, accounts: new Map() }),
            },
          ],
    ),
    pro: proOf(account),
    score: row.score,
    experimental: {
      deprecation_notice: 'Deprecated: the user itself has the same number. Read it there.',
      service_user_score: row.score,
    },
    follower_count: row.follower_count,
    following_count: row.following_count,
    viewer_context: page.relation && {
      following: (links & LINK.following) > 0,
      followed_by: (links & LINK.followedBy) > 0,
      blocking: (links & LINK.blocking) > 0,
      blocked_by: (links & LINK.blockedBy) > 0,
    },
  };
};

const appOf = ({ row }: Cast, page: Page) => (row.app_fid === null ? null : plainUserDehydrated(row.app_fid, page));

const placeOf = ({ row }: Cast): Plain => ({
  hash: plainHash(row.hash),
  parent_hash: row.parent_hash === null ? null : plainHash(row.parent_hash),
  parent_url: row.parent_url,
  root_parent_url: row.root_parent_url,
  parent_author: { fid: row.parent_fid === 0 ? null : row.parent_fid },
  timestamp: iso(row.ts),
});

const textOf = ({ row }: Cast, page: Page) => {
  const mentions = (row.mentions ?? []).slice(0, row.mention_positions?.length ?? 0);
  const names = mentions.map((fid, index) => {
    const user = page.accounts.get(fid) ?? page.users.get(fid);
    return {
      position: row.mention_positions?.[index] as number,
      name: user === undefined ? `!${fid}` : nameOf(user.row),
    };
  });
  return { mentions, ...castText(row.text, names) };
};

/** `CastDehydrated` */
export const plainCastDehydrated = (cast: Cast, page: Page): Plain => ({
  object: 'cast_dehydrated',
  hash: plainHash(cast.row.hash),
  author: plainUserDehydrated(cast.row.fid, page),
  app: appOf(cast, page),
});

const embedsOf = (cast: Cast, page: Page, plain: (embedded: Cast, page: Page) => Plain): Plain[] =>
  (cast.row.embeds ?? []).flatMap((embed): Plain[] => {
    if ('url' in embed) {
      const found = Object.entries(cast.row.url_metadata ?? {}).find(([url]) => url === embed.url);
      return [{ url: embed.url, metadata: found?.[1] }];
    }
    const inner = cast.embedded.get(embed.hash);
    if (inner === undefined || page.hidden.has(inner.row.fid)) return [];
    return [{ cast: plain(inner, page), cast_id: { fid: inner.row.fid, hash: plainHash(embed.hash) } }];
  });

const channelOf = ({ row }: Cast, page: Page): Channel | undefined => {
  const url = row.root_parent_url ?? row.parent_url;
  return url === null ? undefined : page.channelsByUrl.get(url);
};

const plainCastEmbedded = (cast: Cast, page: Page): Plain => {
  const channel = channelOf(cast, page);
  return {
    object: 'cast',
    ...placeOf(cast),
    author: plainUserDehydrated(cast.row.fid, page),
    app: appOf(cast, page),
    text: textOf(cast, page).text,
    channel: channel === undefined ? null : dehydratedChannel(channel, page),
    embeds: embedsOf(cast, page, plainCastDehydrated),
  };
};

const shownName = (fid: number, { accounts, users }: Page): string => {
  const user = accounts.get(fid) ?? users.get(fid);
  return user === undefined ? `!${fid}` : nameOf(user.row);
};

const descriptionOf = (row: Channel['row'], page: Page): Plain => {
  const { description, description_mentions: mentions, description_mention_positions: positions } = row;
  const named = mentions.slice(0, positions.length);
  if (description === null || named.length === 0) return { description: description ?? undefined };
  const names = named.map((fid, index) => ({ name: shownName(fid, page), position: positions[index] as number }));
  const { text, ranges } = castText(description, names);
  return {
    description: text,
    description_mentioned_profiles: named.map((fid) => plainUserDehydrated(fid, page)),
    description_mentioned_profiles_ranges: ranges,
  };
};

/** `Channel` in a cast, with its lead, if it is in the page. */
const plainChannelOfCast = ({ row }: Channel, page: Page): Plain => ({
  object: 'channel',
  id: row.id,
  url: row.url,
  name: row.name,
  created_at: row.created_at.toISOString(),
  parent_url: isUri(row.parent_url) ? row.parent_url : undefined,
  ...descriptionOf(row, page),
  image_url: row.image_url ?? undefined,
  follower_count: row.follower_count,
  member_count: row.member_count,
  moderator_fids: row.moderator_fids,
  external_link:
    row.external_link_url === null
      ? undefined
      : { url: row.external_link_url, title: row.external_link_title ?? undefined },
  pinned_cast_hash: row.pinned_cast_hash === null ? undefined : plainHash(row.pinned_cast_hash),
  lead: row.lead_fid === null ? undefined : plainUser(row.lead_fid, page),
  viewer_context: channelContextOf(page.viewer, row, page),
});

/** `Channel` with its lead and moderators, as far as they are in the page. */
export const plainChannel = (channel: Channel, page: Page): Plain => {
  const { lead_fid, moderator_fids } = channel.row;
  const hosts = [lead_fid ?? [], moderator_fids].flat().flatMap((fid) => plainUser(fid, page) ?? []);
  const { lead, ...rest } = plainChannelOfCast(channel, page);
  return { ...rest, lead, hosts: listOf(hosts), moderator: lead };
};

/** `Cast`; undefined when it is not in the page, or its author is not. */
export const plainCast = (hash: string, page: Page): Plain | undefined => {
  const cast = page.casts.get(hash);
  const author = cast && plainUser(cast.row.fid, page);
  if (cast === undefined || author === undefined) return undefined;
  const { text, mentions, ranges } = textOf(cast, page);
  const known = mentions
    .map((fid, index) => ({ fid, range: ranges[index] }))
    .filter(({ fid }) => page.accounts.has(fid));
  const intended = channelTokens(cast.row.text).map(({ value }) => value);
  const tokens = channelTokens(text).filter(({ value }) => intended.includes(value) && page.channels.has(value));
  const channel = channelOf(cast, page);
  const reactions = page.relation?.reactions(hash) ?? 0;
  return {
    object: 'cast',
    ...placeOf(cast),
    thread_hash: plainHash(cast.row.root_hash),
    text,
    mentioned_profiles: known.map(({ fid }) => plainUser(fid, page)),
    mentioned_profiles_ranges: known.map((one) => one.range),
    mentioned_channels: tokens.map(({ value }) => dehydratedChannel(page.channels.get(value) as Channel, page)),
    mentioned_channels_ranges: tokens.map(range),
    author,
    app: appOf(cast, page),
    embeds: embedsOf(cast, page, plainCastEmbedded),
    channel: channel === undefined ? null : plainChannelOfCast(channel, page),
    author_channel_context: channel && channelContextOf(cast.row.fid, channel.row, page),
    reactions: { likes: [], likes_count: cast.row.like_count, recasts: [], recasts_count: cast.row.recast_count },
    replies: { count: cast.row.reply_count },
    viewer_context: page.relation && {
      liked: (reactions & REACTION.liked) > 0,
      recasted: (reactions & REACTION.recasted) > 0,
    },
  };
};
