import Type, { type Static } from 'typebox';
import type { Account } from '../hydrate/account.js';
import type { CastContent, Cast as CastEntity } from '../hydrate/cast.js';
import type { Fragment } from '../hydrate/fragment.js';
import type { Hydration } from '../hydrate/hydrate.js';
import type { Viewer } from '../hydrate/viewer.js';
import { Cast } from '../schema/cast.js';
import { EmbedUrl } from '../schema/embed-url.js';
import {
  castAppFid,
  knownMentions,
  shownEmbed,
  viewCastId,
  viewCastPlace,
  viewCastText,
  viewHash,
  viewMentionedChannels,
} from './cast-content.js';
import { renderCastEmbedded } from './cast-embedded.js';
import { writeChannel } from './channel.js';
import { currentFragment, fragmentBytes } from './entity-fragment.js';
import type { JsonWriter } from './json-writer.js';
import { openObject, serializer } from './serializer.js';
import { writeUser } from './user.js';
import { renderUserDehydrated } from './user-dehydrated.js';

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

const viewCastAlone = (content: CastContent, page: Hydration): Static<typeof CastAlone> => {
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
const partsOf = ({ row, channelIds }: CastContent, page: Hydration): readonly unknown[] =>
  row.mentions.length === 0 && channelIds.length === 0
    ? NOTHING
    : [...row.mentions.map((fid) => page.accounts.get(fid)?.profile), ...channelIds.map((id) => page.channels.get(id))];

const renderCast = (content: CastContent, parts: readonly unknown[], page: Hydration): Fragment => {
  const bytes = fragmentBytes(openObject(serialize(viewCastAlone(content, page)), '"author":'));
  content.cast = { bytes, from: parts, until: Number.POSITIVE_INFINITY };
  return content.cast;
};

const renderCounters = (cast: CastEntity): Buffer => {
  const { like_count, recast_count, reply_count } = cast.counts;
  cast.counters ??= fragmentBytes(
    `,"reactions":{"likes":[],"likes_count":${like_count},"recasts":[],"recasts_count":${recast_count}},` +
      `"replies":{"count":${reply_count}}}`,
  );
  return cast.counters;
};

const APP = Buffer.from(',"app":');
const NO_APP = Buffer.from(',"app":null');
const MENTIONED = Buffer.from(',"mentioned_profiles":[');
const NONE_MENTIONED = Buffer.from(',"mentioned_profiles":[]');
const EMBEDS = Buffer.from(',"embeds":[');
const EMBED_CAST = Buffer.from('{"cast":');
const CHANNEL = Buffer.from(',"channel":');
const NO_CHANNEL = Buffer.from(',"channel":null');
const END_OF_LIST = Buffer.from(']');
const COMMA = Buffer.from(',');

const writeApp = (json: JsonWriter, content: CastContent, page: Hydration): void => {
  const fid = castAppFid(content, page);
  if (fid === undefined) {
    json.bytes(NO_APP);
    return;
  }
  json.bytes(APP);
  json.bytes(renderUserDehydrated(fid, page.accounts.get(fid)));
};

const writeMentions = (json: JsonWriter, content: CastContent, page: Hydration): void => {
  if (content.row.mentions.length === 0) {
    json.bytes(NONE_MENTIONED);
    return;
  }
  json.bytes(MENTIONED);
  knownMentions(content, page).forEach(({ fid }, index) => {
    if (index > 0) json.bytes(COMMA);
    writeUser(json, page.accounts.get(fid) as Account, page);
  });
  json.bytes(END_OF_LIST);
};

/** Embedded casts that are not stored or not to be shown are left out. */
const writeEmbeds = (json: JsonWriter, { row, embeddedHashes }: CastContent, page: Hydration): void => {
  if (embeddedHashes.length === 0) return;
  json.bytes(EMBEDS);
  let some = false;
  for (const embed of row.embeds) {
    const cast = 'hash' in embed ? shownEmbed(embed.hash, page) : undefined;
    if ('hash' in embed && cast === undefined) continue;
    if (some) json.bytes(COMMA);
    some = true;
    if (cast === undefined) json.text(JSON.stringify(embed));
    else {
      json.bytes(EMBED_CAST);
      json.bytes(renderCastEmbedded(cast.content, page));
      json.text(`,"cast_id":${JSON.stringify(viewCastId(cast.content))}}`);
    }
  }
  json.bytes(END_OF_LIST);
};

const writeChannelOf = (json: JsonWriter, { channelUrl }: CastContent, page: Hydration): void => {
  const channel = channelUrl === null ? undefined : page.channelsByUrl.get(channelUrl);
  if (channel === undefined) {
    json.bytes(NO_CHANNEL);
    return;
  }
  json.bytes(CHANNEL);
  writeChannel(json, channel, page);
};

const viewerContext = (hash: string, viewer: Viewer): string =>
  `,"viewer_context":{"liked":${viewer.liked.has(hash)},"recasted":${viewer.recasted.has(hash)}}}`;

/** Writes `Cast` from the fragments of the cast, its users, its channel and the casts it embeds. */
export const writeCast = (json: JsonWriter, cast: CastEntity, author: Account, page: Hydration): void => {
  const { content } = cast;
  const parts = partsOf(content, page);
  json.bytes(currentFragment(content.cast, parts, page.now, () => renderCast(content, parts, page)).bytes);
  writeUser(json, author, page);
  writeApp(json, content, page);
  writeMentions(json, content, page);
  writeEmbeds(json, content, page);
  writeChannelOf(json, content, page);
  json.bytes(renderCounters(cast));
  if (page.viewer === undefined) return;
  json.back(1);
  json.text(viewerContext(content.row.hash, page.viewer));
};
