import type { Cast } from '../hydrate/cast.js';
import type { Page } from '../hydrate/page.js';
import { REACTION } from '../hydrate/relation.js';
import {
  knownMentions,
  viewCastApp,
  viewCastText,
  viewCastThread,
  viewHash,
  viewMentionedChannels,
  viewRange,
} from './cast-content.js';
import { viewCastEmbedded, viewEmbeds } from './cast-embedded.js';
import { viewChannelOfCast } from './channel/channel.js';
import { viewChannelUserContext } from './channel/channel-context.js';
import { flatten, quote } from './json.js';
import { viewUser, viewUserOf } from './user.js';

/** @returns the name of a cast in the log */
export const castName = (hash: string): string => `cast 0x${hash}`;

/** Everything except accounts, the channel, and members that depend on the viewer. */
const render = (cast: Cast, page: Page): string => {
  const { rootHash, likeCount, recastCount, replyCount } = cast.row;
  const { text, ranges } = viewCastText(cast, page);
  const mentions = knownMentions(cast, page);
  const mentionRanges = mentions.map(({ index }) => viewRange(ranges[index] as { start: number; end: number }));
  const users = mentions.map(({ fid }) => viewUserOf(fid, page));
  const channels = viewMentionedChannels(text, cast.channelIds, page);
  return (
    `{"object":"cast",${viewCastThread(cast)},"thread_hash":"${viewHash(rootHash)}","text":${quote(text)},` +
    `"mentioned_profiles":[${users.join()}],"mentioned_profiles_ranges":[${mentionRanges.join()}],` +
    `"mentioned_channels":[${channels.channels}],"mentioned_channels_ranges":[${channels.ranges}],` +
    `"embeds":[${viewEmbeds(cast, page, viewCastEmbedded)}],` +
    `"reactions":{"likes":[],"likes_count":${likeCount},"recasts":[],"recasts_count":${recastCount}},` +
    `"replies":{"count":${replyCount}}`
  );
};

/** A cast without mentions and embeds has the same content on every page. */
const viewContent = (cast: Cast, page: Page): string => {
  if (cast.row.mentions !== null || cast.channelIds.length > 0 || cast.embedded.size > 0) return render(cast, page);
  cast.json ??= flatten(render(cast, page));
  return cast.json;
};

/** The channel of a cast, and what the author is to it. */
const viewChannelOf = ({ row, channelUrl }: Cast, page: Page): string => {
  const channel = channelUrl === null ? undefined : page.channelsByUrl.get(channelUrl);
  if (channel === undefined) return '"channel":null';
  const context = viewChannelUserContext(row.fid, channel.row.id, page);
  return `"channel":${viewChannelOfCast(channel, page)},"author_channel_context":${context}`;
};

/** Indexed by the bits of `REACTION`. */
const VIEWER_CONTEXTS = Array.from({ length: 4 }, (_, reactions) => {
  const is = (bit: number): boolean => (reactions & bit) !== 0;
  return `,"viewer_context":{"liked":${is(REACTION.liked)},"recasted":${is(REACTION.recasted)}}`;
});

/**
 * @param hash 40 hex digits
 * @param more members that an operation adds, each with a leading comma
 * @returns `Cast`; undefined if the cast or its author is not stored: both are written in one transaction, but read in
 * two statements
 */
export const viewCast = (hash: string, page: Page, more = ''): string | undefined => {
  const cast = page.casts.get(hash);
  const author = cast && page.accounts.get(cast.row.fid);
  if (cast === undefined || author === undefined) return undefined;
  const context = page.relation === undefined ? '' : VIEWER_CONTEXTS[page.relation.reactions(hash)];
  return (
    `${viewContent(cast, page)},"author":${viewUser(author, page)},"app":${viewCastApp(cast, page)},` +
    `${viewChannelOf(cast, page)}${context}${more}}`
  );
};
