import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';

export const ImageObject = namedObject('ImageObject', {
  alt: Type.Optional(Type.String()),
  height: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  url: Type.String(),
  width: Type.Optional(Type.String()),
});
export const VideoObject = namedObject('VideoObject', {
  height: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  url: Type.String(),
  width: Type.Optional(Type.String()),
});
const text = Type.Optional(nullable(Type.String()));
const number = Type.Optional(nullable(Type.Number()));
const author = { author_name: text, author_url: text, cache_age: text };
const provider = {
  provider_name: text,
  provider_url: text,
  thumbnail_height: number,
  thumbnail_url: text,
  thumbnail_width: number,
  title: text,
};

export const OembedRichData = namedObject('OembedRichData', {
  ...author,
  height: number,
  html: nullable(Type.String()),
  ...provider,
  type: stringEnum(['rich']),
  version: nullable(Type.String()),
  width: number,
});
export const OembedVideoData = namedObject('OembedVideoData', {
  ...author,
  height: number,
  html: nullable(Type.String()),
  ...provider,
  type: stringEnum(['video']),
  version: nullable(Type.String()),
  width: number,
});
export const OembedPhotoData = namedObject('OembedPhotoData', {
  ...author,
  height: number,
  ...provider,
  type: stringEnum(['photo']),
  url: nullable(Type.String()),
  version: nullable(Type.String()),
  width: number,
});
export const OembedLinkData = namedObject('OembedLinkData', {
  ...author,
  ...provider,
  type: stringEnum(['link']),
  version: nullable(Type.String()),
});
export const HtmlMetadata = namedObject('HtmlMetadata', {
  favicon: Type.Optional(Type.String()),
  modifiedTime: Type.Optional(Type.String()),
  oembed: Type.Optional(Type.Union([OembedRichData, OembedVideoData, OembedPhotoData, OembedLinkData])),
  ogArticleAuthor: Type.Optional(Type.String()),
  ogArticleExpirationTime: Type.Optional(Type.String()),
  ogArticleModifiedTime: Type.Optional(Type.String()),
  ogArticlePublishedTime: Type.Optional(Type.String()),
  ogArticlePublisher: Type.Optional(Type.String()),
  ogArticleSection: Type.Optional(Type.String()),
  ogArticleTag: Type.Optional(Type.String()),
  ogAudio: Type.Optional(Type.String()),
  ogAudioSecureURL: Type.Optional(Type.String()),
  ogAudioType: Type.Optional(Type.String()),
  ogAudioURL: Type.Optional(Type.String()),
  ogAvailability: Type.Optional(Type.String()),
  ogDate: Type.Optional(Type.String()),
  ogDescription: Type.Optional(Type.String()),
  ogDeterminer: Type.Optional(Type.String()),
  ogEpisode: Type.Optional(Type.String()),
  ogImage: Type.Optional(Type.Array(ImageObject)),
  ogLocale: Type.Optional(Type.String()),
  ogLocaleAlternate: Type.Optional(Type.String()),
  ogLogo: Type.Optional(Type.String()),
  ogMovie: Type.Optional(Type.String()),
  ogPriceAmount: Type.Optional(Type.String()),
  ogPriceCurrency: Type.Optional(Type.String()),
  ogProductAvailability: Type.Optional(Type.String()),
  ogProductCondition: Type.Optional(Type.String()),
  ogProductPriceAmount: Type.Optional(Type.String()),
  ogProductPriceCurrency: Type.Optional(Type.String()),
  ogProductRetailerItemId: Type.Optional(Type.String()),
  ogSiteName: Type.Optional(Type.String()),
  ogTitle: Type.Optional(Type.String()),
  ogType: Type.Optional(Type.String()),
  ogUrl: Type.Optional(Type.String()),
  ogVideo: Type.Optional(Type.Array(VideoObject)),
  ogVideoActor: Type.Optional(Type.String()),
  ogVideoActorId: Type.Optional(Type.String()),
  ogVideoActorRole: Type.Optional(Type.String()),
  ogVideoDirector: Type.Optional(Type.String()),
  ogVideoDuration: Type.Optional(Type.String()),
  ogVideoOther: Type.Optional(Type.String()),
  ogVideoReleaseDate: Type.Optional(Type.String()),
  ogVideoSecureURL: Type.Optional(Type.String()),
  ogVideoSeries: Type.Optional(Type.String()),
  ogVideoTag: Type.Optional(Type.String()),
  ogVideoTvShow: Type.Optional(Type.String()),
  ogVideoWriter: Type.Optional(Type.String()),
  ogWebsite: Type.Optional(Type.String()),
  updatedTime: Type.Optional(Type.String()),
});
export type HtmlMetadata = Static<typeof HtmlMetadata>;
