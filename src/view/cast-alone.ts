import Type, { type Static } from 'typebox';
import type { CastContent } from '../hydrate/cast.js';
import type { Entities } from '../hydrate/entities.js';
import type { Fragment } from '../hydrate/fragment.js';
import { Cast } from '../schema/cast.js';
import { EmbedUrl } from '../schema/embed-url.js';
import { knownMentions, viewCastPlace, viewCastText, viewHash, viewMentionedChannels } from './cast-content.js';
import { currentFragment, fragmentBytes } from './entity-fragment.js';
import { openObject, serializer } from './serializer.js';

/** A cast without the users, the channel and the casts that have fragments of their own, and without counters. */
const CastAlone = Type.Object({
  ...Type.Omit(Cast, [
    'app',
    'author',
    'author_channel_context',
    'channel',
    'embeds',
    'mentioned_profiles',
    'reactions',
    'replies',
    'type',
    'viewer_context',
  ]).properties,
  embeds: Type.Optional(Type.Array(EmbedUrl)),
});
const serialize = serializer(CastAlone);

const viewCastAlone = (content: CastContent, page: Entities): Static<typeof CastAlone> => {
  const { row, embeddedHashes } = content;
  const { text, ranges } = viewCastText(content, page);
  const channels = viewMentionedChannels(text, content.channelIds, page);
  return {
    object: 'cast',
    ...viewCastPlace(content),
    thread_hash: viewHash(row.root_hash),
    text,
    mentioned_profiles_ranges: knownMentions(content, page).map(
      ({ index }) => ranges[index] as { start: number; end: number },
    ),
    mentioned_channels: channels.channels,
    mentioned_channels_ranges: channels.ranges,
    // With casts among them, the embeds are written one by one (writeEmbeds).
    ...(embeddedHashes.length > 0
      ? {}
      : { embeds: row.embeds.flatMap((embed) => ('url' in embed ? [{ url: embed.url }] : [])) }),
  };
};

const NOTHING: readonly unknown[] = [];

/** The other entities whose names stand in a cast's own text. */
const partsOf = ({ row, channelIds }: CastContent, page: Entities): readonly unknown[] =>
  row.mentions.length === 0 && channelIds.length === 0
    ? NOTHING
    : [...row.mentions.map((fid) => page.accounts.get(fid)?.profile), ...channelIds.map((id) => page.channels.get(id))];

const renderFragment = (content: CastContent, parts: readonly unknown[], page: Entities): Fragment => {
  const bytes = fragmentBytes(openObject(serialize(viewCastAlone(content, page)), '"author":'));
  content.cast = { bytes, from: parts, until: Number.POSITIVE_INFINITY };
  return content.cast;
};

/** @returns JSON of `Cast` as far as it depends on the cast and on names alone, up to the author. */
export const renderCastAlone = (content: CastContent, page: Entities): Buffer => {
  const parts = partsOf(content, page);
  return currentFragment(content.cast, parts, page.now, () => renderFragment(content, parts, page)).bytes;
};
