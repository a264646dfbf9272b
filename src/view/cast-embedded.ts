import type { Cast } from '../hydrate/cast.js';
import type { Page } from '../hydrate/page.js';
import { viewCastApp, viewCastText, viewCastThread, viewHash, visibleEmbed } from './cast-content.js';
import { viewChannelDehydrated } from './channel/channel-dehydrated.js';
import { quote, renderJson } from './json.js';
import { viewUserDehydrated } from './user-dehydrated.js';

/** @returns `CastDehydrated` */
export const viewCastDehydrated = (cast: Cast, page: Page): string =>
  `{"object":"cast_dehydrated","hash":"${viewHash(cast.row.hash)}",` +
  `"author":${viewUserDehydrated(cast.row.fid, page)},"app":${viewCastApp(cast, page)}}`;

/**
 * @param view renders an embedded cast
 * @returns the embeds of a cast; embedded casts that are not stored or must not be shown are left out
 */
export const viewEmbeds = (cast: Cast, page: Page, view: (embedded: Cast, page: Page) => string): string => {
  if (cast.row.embeds === null) return '';
  const embeds: string[] = [];
  for (const embed of cast.row.embeds) {
    if ('url' in embed) {
      const metadata = cast.urlMetadata.get(embed.url);
      const found = metadata === undefined ? '' : `,"metadata":${renderJson(metadata)}`;
      embeds.push(`{"url":${quote(embed.url)}${found}}`);
      continue;
    }
    const embedded = visibleEmbed(embed.hash, cast, page);
    if (embedded === undefined) continue;
    const { fid, hash } = embedded.row;
    embeds.push(`{"cast":${view(embedded, page)},"cast_id":{"fid":${fid},"hash":"${viewHash(hash)}"}}`);
  }
  return embeds.join();
};

/** @returns `CastEmbedded` */
export const viewCastEmbedded = (cast: Cast, page: Page): string => {
  const channel = cast.channelUrl === null ? undefined : page.channelsByUrl.get(cast.channelUrl);
  return (
    `{"object":"cast",${viewCastThread(cast)},"author":${viewUserDehydrated(cast.row.fid, page)},` +
    `"app":${viewCastApp(cast, page)},"text":${quote(viewCastText(cast, page).text)},` +
    `"channel":${channel === undefined ? 'null' : viewChannelDehydrated(channel, page)},` +
    `"embeds":[${viewEmbeds(cast, page, viewCastDehydrated)}]}`
  );
};
