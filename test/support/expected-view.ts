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
  display_name: row.displayName,
  pfp_url: row.pfpUrl,
  custody_address: row.custodyAddress === null ? undefined : `0x${row.custodyAddress}`,
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
  image_url: row.imageUrl ?? undefined,
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
  banner: row.bannerUrl !== null && isUri(row.bannerUrl) ? { url: row.bannerUrl } : undefined,
  location:
    row.latitude === null || row.longitude === null
      ? undefined
      : { latitude: row.latitude, longitude: row.longitude, address },
  live_at:
    row.liveTs === null
      ? undefined
      : {
          url: row.liveUrl ?? '',
          updated_at: iso(row.liveTs),
          is_live: row.liveUrl !== null && row.liveUrl !== '',
        },
});

const addressesOf = ({ row }: Account) => {
  const of = (protocol: number) => (row.verifications ?? []).filter(([one]) => one === protocol).map(([, hex]) => hex);
  const [eth, sol] = [of(0), of(1)];
  const { primaryEthAddress: primaryEth, primarySolAddress: primarySol } = row;
  return {
    eth_addresses: eth.map((hex) => `0x${hex}`),
    sol_addresses: sol.map(viewSolAddress),
    primary: {
      eth_address: primaryEth !== null && eth.includes(primaryEth) ? `0x${primaryEth}` : null,
      sol_address: primarySol !== null && sol.includes(primarySol) ? viewSolAddress(primarySol) : null,
    },
  };
};

const proOf = ({ row: { proSubscribedAt: from, proExpiresAt: until }, isPro }: Account): Plain | undefined =>
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
    display_name: row.displayName,
    pfp_url: row.pfpUrl,
    custody_address: `0x${row.custodyAddress ?? '0'.repeat(40)}`,
    registered_at: row.registeredAt === null ? iso(row.firstTs ?? 0) : isoOf(row.registeredAt),
    profile: profileOf(account, page),
    verifications: addresses.eth_addresses,
    verified_addresses: addresses,
    verified_accounts: [
      ...(row.xUsername ? [{ platform: 'x', username: row.xUsername }] : []),
      ...(row.githubUsername ? [{ platform: 'github', username: row.githubUsername }] : []),
    ],
    auth_addresses: (row.authKeys ?? []).flatMap(([key, app]) =>
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
    follower_count: row.followerCount,
    following_count: row.followingCount,
    viewer_context: page.relation && {
      following: (links & LINK.following) > 0,
      followed_by: (links & LINK.followedBy) > 0,
      blocking: (links & LINK.blocking) > 0,
      blocked_by: (links & LINK.blockedBy) > 0,
    },
  };
};

const appOf = ({ row }: Cast, page: Page) => (row.appFid === null ? null : plainUserDehydrated(row.appFid, page));

const placeOf = ({ row }: Cast): Plain => ({
  hash: plainHash(row.hash),
  parent_hash: row.parentHash === null ? null : plainHash(row.parentHash),
  parent_url: row.parentUrl,
  root_parent_url: row.rootParentUrl,
  parent_author: { fid: row.parentFid === 0 ? null : row.parentFid },
  timestamp: iso(row.ts),
});

const textOf = ({ row }: Cast, page: Page) => {
  const mentions = (row.mentions ?? []).slice(0, row.mentionPositions?.length ?? 0);
  const names = mentions.map((fid, index) => {
    const user = page.accounts.get(fid) ?? page.users.get(fid);
    return {
      position: row.mentionPositions?.[index] as number,
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
      return [{ url: embed.url, metadata: cast.urlMetadata.get(embed.url) }];
    }
    const inner = cast.embedded.get(embed.hash);
    if (inner === undefined || page.hidden.has(inner.row.fid)) return [];
    return [{ cast: plain(inner, page), cast_id: { fid: inner.row.fid, hash: plainHash(embed.hash) } }];
  });

const channelOf = ({ row }: Cast, page: Page): Channel | undefined => {
  const url = row.rootParentUrl ?? row.parentUrl;
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
  const { description, descriptionMentions: mentions, descriptionMentionPositions: positions } = row;
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
  created_at: row.createdAt.toISOString(),
  parent_url: isUri(row.parentUrl) ? row.parentUrl : undefined,
  ...descriptionOf(row, page),
  image_url: row.imageUrl ?? undefined,
  follower_count: row.followerCount,
  member_count: row.memberCount,
  moderator_fids: row.moderatorFids,
  external_link:
    row.externalLinkUrl === null ? undefined : { url: row.externalLinkUrl, title: row.externalLinkTitle ?? undefined },
  pinned_cast_hash: row.pinnedCastHash === null ? undefined : plainHash(row.pinnedCastHash),
  lead: row.leadFid === null ? undefined : plainUser(row.leadFid, page),
  viewer_context: channelContextOf(page.viewer, row, page),
});

/** `Channel` with its lead and moderators, as far as they are in the page. */
export const plainChannel = (channel: Channel, page: Page): Plain => {
  const { leadFid, moderatorFids } = channel.row;
  const hosts = [leadFid ?? [], moderatorFids].flat().flatMap((fid) => plainUser(fid, page) ?? []);
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
    thread_hash: plainHash(cast.row.rootHash),
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
    reactions: { likes: [], likes_count: cast.row.likeCount, recasts: [], recasts_count: cast.row.recastCount },
    replies: { count: cast.row.replyCount },
    viewer_context: page.relation && {
      liked: (reactions & REACTION.liked) > 0,
      recasted: (reactions & REACTION.recasted) > 0,
    },
  };
};
