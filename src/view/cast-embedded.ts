import type { CastContent } from '../hydrate/cast.js';
import type { Entities } from '../hydrate/entities.js';
import type { Fragment } from '../hydrate/fragment.js';
import type { CastDehydrated } from '../schema/cast-dehydrated.js';
import { CastEmbedded, type EmbedDeep } from '../schema/embed.js';
import type { UserDehydrated } from '../schema/user-dehydrated.js';
import { castAppFid, shownEmbed, viewCastId, viewCastPlace, viewCastText, viewHash } from './cast-content.js';
import { viewChannelDehydrated } from './channel-dehydrated.js';
import { currentFragment, fragmentBytes } from './entity-fragment.js';
import { serializer } from './serializer.js';
import { viewUserDehydrated } from './user-dehydrated.js';

const serialize = serializer(CastEmbedded);

const viewApp = (content: CastContent, page: Entities): UserDehydrated | null => {
  const fid = castAppFid(content, page);
  return fid === undefined ? null : viewUserDehydrated(fid, page.accounts.get(fid));
};

/** A cast as little more than its author and its app. */
const viewCastDehydrated = (content: CastContent, page: Entities): CastDehydrated => ({
  object: 'cast_dehydrated',
  hash: viewHash(content.row.hash),
  author: viewUserDehydrated(content.row.fid, page.accounts.get(content.row.fid)),
  app: viewApp(content, page),
});

const viewCastEmbedded = (content: CastContent, page: Entities): CastEmbedded => {
  const channel = content.channelUrl === null ? undefined : page.channelsByUrl.get(content.channelUrl);
  return {
    object: 'cast',
    ...viewCastPlace(content),
    author: viewUserDehydrated(content.row.fid, page.accounts.get(content.row.fid)),
    app: viewApp(content, page),
    text: viewCastText(content, page).text,
    channel: channel === undefined ? null : viewChannelDehydrated(channel),
    embeds: content.row.embeds.flatMap((embed): EmbedDeep[] => {
      if ('url' in embed) return [{ url: embed.url }];
      const cast = shownEmbed(embed.hash, page);
      if (cast === undefined) return [];
      return [{ cast: viewCastDehydrated(cast.content, page), cast_id: viewCastId(cast.content) }];
    }),
  };
};

/** Everything beside the cast itself that its embedded form shows. */
const partsOf = (content: CastContent, page: Entities): readonly unknown[] => {
  const profileOf = (fid: number | undefined) => (fid === undefined ? undefined : page.accounts.get(fid)?.profile);
  const people = (of: CastContent) => [profileOf(of.row.fid), castAppFid(of, page), profileOf(castAppFid(of, page))];
  return [
    ...people(content),
    ...content.row.mentions.map(profileOf),
    content.channelUrl === null ? undefined : page.channelsByUrl.get(content.channelUrl),
    ...content.embeddedHashes.flatMap((hash) => {
      const deep = shownEmbed(hash, page)?.content;
      return deep === undefined ? [undefined] : [deep, ...people(deep)];
    }),
  ];
};

const hidesSome = ({ embeddedHashes }: CastContent, page: Entities): boolean =>
  embeddedHashes.some((hash) => page.casts.has(hash) && shownEmbed(hash, page) === undefined);

const renderFragment = (content: CastContent, parts: readonly unknown[], page: Entities): Fragment => {
  const bytes = fragmentBytes(serialize(viewCastEmbedded(content, page)));
  const fragment = { bytes, from: parts, until: Number.POSITIVE_INFINITY };
  // What lacks a hidden author's cast is of use to few; it must not push out what all others see.
  if (!hidesSome(content, page)) content.embedded = fragment;
  return fragment;
};

/** @returns a cast as JSON of `CastEmbedded`, rendered anew only when it or what it shows has changed. */
export const renderCastEmbedded = (content: CastContent, page: Entities): Buffer => {
  const parts = partsOf(content, page);
  return currentFragment(content.embedded, parts, page.now, () => renderFragment(content, parts, page)).bytes;
};
