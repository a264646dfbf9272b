import type { Cut } from './result.js';

/** Users, casts and channels as the operations show them, as far as tools use them. */
export interface UserJson {
  readonly fid: number;
  readonly username: string;
  readonly display_name?: string | null;
  readonly custody_address?: string;
  readonly registered_at?: string;
  readonly profile?: {
    readonly bio?: { readonly text?: string };
    readonly location?: { readonly address?: { readonly city?: string; readonly country?: string } };
  };
  readonly verified_addresses?: {
    readonly eth_addresses: readonly string[];
    readonly sol_addresses: readonly string[];
  };
  readonly verified_accounts?: readonly { readonly platform: string; readonly username: string }[] | null;
  readonly score?: number;
  readonly follower_count?: number;
  readonly following_count?: number;
  readonly viewer_context?: Readonly<Record<string, boolean>>;
}

export interface CastJson {
  readonly hash: string;
  readonly author: UserJson;
  readonly text: string;
  readonly timestamp: string;
  readonly thread_hash?: string | null;
  readonly parent_hash?: string | null;
  readonly parent_url?: string | null;
  readonly parent_author?: { readonly fid?: number | null };
  readonly root_parent_url?: string | null;
  readonly channel?: { readonly id: string } | null;
  readonly embeds?: readonly {
    readonly url?: string;
    readonly cast?: { readonly hash: string; readonly author?: { readonly username?: string }; readonly text?: string };
  }[];
  readonly reactions?: { readonly likes_count: number; readonly recasts_count: number };
  readonly replies?: { readonly count: number };
  readonly viewer_context?: Readonly<Record<string, boolean>>;
  readonly direct_replies?: readonly CastJson[];
}

export interface ChannelJson {
  readonly id: string;
  readonly url: string;
  readonly name?: string;
  readonly description?: string;
  readonly created_at?: string;
  readonly follower_count?: number;
  readonly member_count?: number;
  readonly lead?: UserJson;
  readonly moderator_fids?: readonly number[];
  readonly pinned_cast_hash?: string;
  readonly viewer_context?: Readonly<Record<string, unknown>>;
}

const MAX_EMBEDS = 4;
const MAX_ADDRESSES = 10;
const MAX_MODERATORS = 20;

/** @returns the words that are true of the viewer: `following`, `liked` */
const trueWords = (context: Readonly<Record<string, unknown>> | undefined): string[] | undefined => {
  const words = Object.entries(context ?? {}).flatMap(([word, isTrue]) => (isTrue === true ? [word] : []));
  return context === undefined ? undefined : words;
};

/** @returns who somebody is, in one line of a list */
export const viewUser = (user: UserJson, cut: Cut) => ({
  fid: user.fid,
  username: cut(user.username),
  display_name: cut(user.display_name ?? ''),
  bio: cut(user.profile?.bio?.text ?? ''),
  followers: user.follower_count,
  following: user.following_count,
  score: user.score,
  viewer: trueWords(user.viewer_context),
});

/** @returns everything of a profile that a reader needs */
export const viewProfile = (user: UserJson, cut: Cut) => {
  const { eth_addresses: ethereum = [], sol_addresses: solana = [] } = user.verified_addresses ?? {};
  const { city, country } = user.profile?.location?.address ?? {};
  return {
    ...viewUser(user, cut),
    location: [city, country].filter(Boolean).join(', ') || undefined,
    registered_at: user.registered_at,
    custody_address: user.custody_address,
    verified_addresses: [...ethereum, ...solana].slice(0, MAX_ADDRESSES),
    accounts_elsewhere: (user.verified_accounts ?? []).map((one) => cut(`${one.platform}: ${one.username}`)),
  };
};

const viewEmbed = ({ url, cast }: NonNullable<CastJson['embeds']>[number], cut: Cut) =>
  cast === undefined
    ? { url: cut(url ?? '') }
    : { cast: cast.hash, author: cut(cast.author?.username ?? ''), text: cut(cast.text ?? '') };

export const viewCast = (cast: CastJson, cut: Cut) => {
  const under = cast.channel?.id ?? cast.root_parent_url ?? cast.parent_url ?? undefined;
  const embeds = (cast.embeds ?? []).slice(0, MAX_EMBEDS).map((embed) => viewEmbed(embed, cut));
  return {
    hash: cast.hash,
    author: cut(cast.author.username),
    author_fid: cast.author.fid,
    at: cast.timestamp,
    text: cut(cast.text),
    reply_to: cast.parent_hash ?? undefined,
    reply_to_fid: cast.parent_author?.fid ?? undefined,
    thread: cast.thread_hash === cast.hash ? undefined : (cast.thread_hash ?? undefined),
    channel: under === undefined ? undefined : cut(under),
    embeds: embeds.length > 0 ? embeds : undefined,
    likes: cast.reactions?.likes_count,
    recasts: cast.reactions?.recasts_count,
    replies: cast.replies?.count,
    viewer: trueWords(cast.viewer_context),
  };
};

export const viewChannel = (channel: ChannelJson, cut: Cut) => ({
  id: channel.id,
  name: cut(channel.name ?? ''),
  description: cut(channel.description ?? ''),
  url: cut(channel.url),
  followers: channel.follower_count,
  members: channel.member_count,
  lead: channel.lead && { fid: channel.lead.fid, username: cut(channel.lead.username) },
  moderator_fids: channel.moderator_fids?.slice(0, MAX_MODERATORS),
  pinned_cast: channel.pinned_cast_hash,
  viewer: trueWords(channel.viewer_context),
});
