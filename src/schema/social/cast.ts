import Type from 'typebox';
import { Fid } from '../fid.js';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { TextRange } from '../text-range.js';
import { CastParentAuthor } from './cast-dehydrated.js';
import { ChannelOrChannelDehydrated } from './channel.js';
import { ChannelDehydrated, ChannelUserContext } from './channel-dehydrated.js';
import { Embed } from './embed.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const CastNotificationType = named('CastNotificationType', stringEnum(['cast-mention', 'cast-reply']));

export const ReactionLike = namedObject('ReactionLike', { fid: Fid, fname: Type.String() });
export const ReactionRecast = namedObject('ReactionRecast', { fid: Fid, fname: Type.String() });
/** The counts are current; the two lists are always empty and exist only for older clients. */
export const CastReactions = namedObject('CastReactions', {
  likes: Type.Array(ReactionLike, { deprecated: true, description: 'Kept for compatibility and always empty.' }),
  likes_count: Type.Integer({ format: 'int32' }),
  recasts: Type.Array(ReactionRecast, { deprecated: true, description: 'Kept for compatibility and always empty.' }),
  recasts_count: Type.Integer({ format: 'int32' }),
});
export const CastReplies = namedObject('CastReplies', { count: Type.Integer({ format: 'int32' }) });
export const CastViewerContext = namedObject('CastViewerContext', { liked: Type.Boolean(), recasted: Type.Boolean() });
/**
 * `text` contains the mentioned names, and the ranges are offsets into it in UTF-16 code units, `text.slice(start,
 * end)`;
 * the protocol's own positions are bytes of a text without the names.
 */
export const Cast = namedObject('Cast', {
  app: Type.Optional(nullable(UserDehydrated)),
  author: User,
  author_channel_context: Type.Optional(ChannelUserContext),
  channel: nullable(ChannelOrChannelDehydrated),
  embeds: Type.Array(Embed),
  hash: Type.String(),
  mentioned_channels: Type.Array(ChannelDehydrated),
  mentioned_channels_ranges: Type.Array(TextRange, {
    description: 'One range per entry of mentioned_channels, same order.',
  }),
  mentioned_profiles: Type.Array(User),
  mentioned_profiles_ranges: Type.Array(TextRange, {
    description: 'One range per entry of mentioned_profiles, same order.',
  }),
  object: stringEnum(['cast']),
  parent_author: CastParentAuthor,
  parent_hash: nullable(Type.String()),
  parent_url: nullable(Type.String()),
  reactions: CastReactions,
  replies: CastReplies,
  root_parent_url: nullable(Type.String()),
  text: Type.String(),
  thread_hash: nullable(Type.String()),
  timestamp: Type.String({ format: 'date-time' }),
  type: Type.Optional(CastNotificationType),
  viewer_context: Type.Optional(CastViewerContext),
});

export const CastResponse = namedObject('CastResponse', { cast: Cast });

export const CastsResponse = namedObject('CastsResponse', { result: Type.Object({ casts: Type.Array(Cast) }) });

export const BulkCastsResponse = namedObject('BulkCastsResponse', { casts: Type.Array(Cast) });

export const CastQuotesResponse = namedObject('CastQuotesResponse', { casts: Type.Array(Cast), next: NextCursor });

export const CastsSearchResponse = namedObject('CastsSearchResponse', { result: CastQuotesResponse });

export const CastsMetrics = namedObject('CastsMetrics', {
  cast_count: Type.Integer({ format: 'int32' }),
  resolution_in_seconds: Type.Integer({ format: 'int32', description: 'How many seconds are counted together.' }),
  start: Type.String({ format: 'date-time', description: 'Start of these seconds, in UTC.' }),
});

export const CastsMetricsResponse = namedObject('CastsMetricsResponse', {
  metrics: Type.Array(CastsMetrics, { description: 'Oldest first, without gaps. The last one has not ended yet.' }),
});
