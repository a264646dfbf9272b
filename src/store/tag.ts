import type { Param, Tag } from '../db/statement.js';
import type { Audience } from './visibility.js';

/** Kinds there is room for in a tag. */
const KINDS = 32;

/** One number below `KINDS` for each kind of data; the number of a deleted kind may be given to a new one. */
export const TagKind = {
  feed: 0,
  reactions: 1,
  follows: 2,
  followers: 3,
  answers: 4,
  relations: 5,
  seen: 6,
  signers: 7,
  bans: 8,
  places: 9,
  profile: 10,
  counters: 11,
  cast: 12,
  castCounts: 13,
  name: 14,
  channel: 15,
  accountChannels: 16,
  channelList: 17,
  urlMetadata: 18,
  topics: 19,
} as const;

/** @returns the number of the tag's kind */
export const kindOf = (tag: Tag): number => tag % KINDS;

/** @param kind below `KINDS`. @returns what makes the tags of a kind, of ids with 48 bits at most */
export const tagOf =
  (kind: number) =>
  (id: number): Tag =>
    id * KINDS + kind;

/** Casts and recasts by the account, and the channels of these casts. */
export const feedOf = tagOf(TagKind.feed);
/** Likes and recasts by the account, and whether the casts that it reacted to are stored. */
export const reactionsOf = tagOf(TagKind.reactions);
/** Follows by the account. */
export const followsOf = tagOf(TagKind.follows);
/** Follows of the account. */
export const followersOf = tagOf(TagKind.followers);
/** Reactions to casts of the account, replies to it, mentions and quotes of it. */
export const repliesAndReactionsTo = tagOf(TagKind.answers);
/** Mutes by the account in any app, blocks by it and of it. */
export const relationsOf = tagOf(TagKind.relations);
/** Marks of what the account has seen, in any app. */
export const seenMarksOf = tagOf(TagKind.seen);
/** Keys that may sign for the account or once might, and the apps behind them: they decide the `app` of its casts. */
export const signersOf = tagOf(TagKind.signers);

const banned = tagOf(TagKind.bans);
/** Hex digits of an id or a hash that count: 44 bits, which fit a number exactly together with the kind. */
const DIGITS = 11;

/** Accounts that the app banned. @param appId a UUID */
export const bansOf = (appId: string): Tag => banned(Number.parseInt(appId.replaceAll('-', '').slice(-DIGITS), 16));

/** @returns the tags of bans, mutes and blocks that decide which accounts an audience sees */
export const audienceTags = ({ appId, viewer }: Audience): Tag[] =>
  viewer === null ? [bansOf(appId)] : [bansOf(appId), relationsOf(viewer)];

/** @returns the same for an audience as statements take it */
export const audienceTagsOf = (viewer: Param | undefined, appId: Param | undefined): Tag[] =>
  audienceTags({ viewer: viewer as number | null, appId: appId as string });

/**
 * All that an account shows but its two counters: user data, name, custody address, registration, first message,
 * verifications, auth addresses, score, pro subscription.
 */
export const profileOf = tagOf(TagKind.profile);
/** How many follow the account, and how many it follows. */
export const countersOf = tagOf(TagKind.counters);

const cast = tagOf(TagKind.cast);
const castCounts = tagOf(TagKind.castCounts);

const idOfHash = (hash: string): number => Number.parseInt(hash.slice(0, DIGITS), 16);
const idOfBytes = (hash: Uint8Array): number =>
  idOfHash(Buffer.from(hash.buffer, hash.byteOffset, DIGITS).toString('hex'));

/** The cast's own row: whether it is stored, its text, parent, root and embeds. @param hash hex without 0x */
export const castOf = (hash: string): Tag => cast(idOfHash(hash));

/** @param hash 20 bytes. @returns the same tag as for its hex digits */
export const castOfBytes = (hash: Uint8Array): Tag => cast(idOfBytes(hash));

/** Likes, recasts, replies and quotes of the cast, counted. @param hash hex without 0x */
export const castCountsOf = (hash: string): Tag => castCounts(idOfHash(hash));

/** @param hash 20 bytes. @returns the same tag as for its hex digits */
export const castCountsOfBytes = (hash: Uint8Array): Tag => castCounts(idOfBytes(hash));

const name = tagOf(TagKind.name);

/** @returns 44 bits: cyrb53 of a text, shortened */
const idOfText = (text: string): number => {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (high >>> 20) * 2 ** 32 + (low >>> 0);
};

/** Which account shows this name, if any does. @param username as accounts show it (lower case) */
export const nameOf = (username: string): Tag => name(idOfText(username));

/** Where accounts say they are, all of them. */
export const PLACES: Tag = tagOf(TagKind.places)(0);

const channel = tagOf(TagKind.channel);

/** A channel: what it shows, its followers, members and spellings. @param id of a channel that need not be stored */
export const channelOf = (id: string): Tag => channel(idOfText(id));

/** Which channel has this URL, if any does. */
export const channelUrlOf = (url: string): Tag => channel(idOfText(`url ${url}`));

const urlMetadata = tagOf(TagKind.urlMetadata);

/** What was found at an address that casts embed. */
export const urlMetadataOf = (url: string): Tag => urlMetadata(idOfText(url));

/** Channels that the account follows, or is a member of. */
export const channelsOfAccount = tagOf(TagKind.accountChannels);

/** Which channels there are, and what is counted of them from time to time. */
export const CHANNEL_LIST: Tag = tagOf(TagKind.channelList)(0);

/** The trending topics, counted from time to time. */
export const TOPICS: Tag = tagOf(TagKind.topics)(0);
