import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { named } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { TextRange } from '../text-range.js';
import { CastParentAuthor } from './cast-dehydrated.js';
import { ChannelOrChannelDehydrated } from './channel.js';
import { ChannelDehydrated, ChannelUserContext } from './channel-dehydrated.js';
import { Embed } from './embed.js';
import { User } from './user.js';
import { UserDehydrated } from './user-dehydrated.js';

export const CastNotificationType = named(
  'CastNotificationType',
  Type.Enum(['cast-mention', 'cast-reply'], { type: 'string' }),
);

export const ReactionLike = named('ReactionLike', Type.Object({ fid: Fid, fname: Type.String() }));
export const ReactionRecast = named('ReactionRecast', Type.Object({ fid: Fid, fname: Type.String() }));
/** The counts are current; the two lists are always empty and exist only for older clients. */
export const CastReactions = named(
  'CastReactions',
  Type.Object({
    likes: Type.Array(ReactionLike, { deprecated: true, description: 'Kept for compatibility and always empty.' }),
    likes_count: Type.Integer({ format: 'int32' }),
    recasts: Type.Array(ReactionRecast, { deprecated: true, description: 'Kept for compatibility and always empty.' }),
    recasts_count: Type.Integer({ format: 'int32' }),
  }),
);
export const CastReplies = named('CastReplies', Type.Object({ count: Type.Integer({ format: 'int32' }) }));
export const CastViewerContext = named(
  'CastViewerContext',
  Type.Object({ liked: Type.Boolean(), recasted: Type.Boolean() }),
);
/**
 * `text` contains the mentioned names, and the ranges are offsets into it in UTF-16 code units, `text.slice(start,
 * end)`;
 * the protocol's own positions are bytes of a text without the names.
 */
export const Cast = named(
  'Cast',
  Type.Object({
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
    object: Type.Enum(['cast'], { type: 'string' }),
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
  }),
);
export type Cast = Static<typeof Cast>;

export const CastResponse = named('CastResponse', Type.Object({ cast: Cast }));

export const CastsResponse = named('CastsResponse', Type.Object({ result: Type.Object({ casts: Type.Array(Cast) }) }));

export const BulkCastsResponse = named('BulkCastsResponse', Type.Object({ casts: Type.Array(Cast) }));

export const CastQuotesResponse = named(
  'CastQuotesResponse',
  Type.Object({ casts: Type.Array(Cast), next: NextCursor }),
);

export const CastsSearchResponse = named('CastsSearchResponse', Type.Object({ result: CastQuotesResponse }));
