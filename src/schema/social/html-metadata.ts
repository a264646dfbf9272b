import Type, { type Static } from 'typebox';
import { named } from '../named.js';
import { nullable } from '../nullable.js';

export const ImageObject = named(
  'ImageObject',
  Type.Object({
    alt: Type.Optional(Type.String()),
    height: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    url: Type.String(),
    width: Type.Optional(Type.String()),
  }),
);
export type ImageObject = Static<typeof ImageObject>;

export const VideoObject = named(
  'VideoObject',
  Type.Object({
    height: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    url: Type.String(),
    width: Type.Optional(Type.String()),
  }),
);
export type VideoObject = Static<typeof VideoObject>;

export const OembedRichData = named(
  'OembedRichData',
  Type.Object({
    author_name: Type.Optional(nullable(Type.String())),
    author_url: Type.Optional(nullable(Type.String())),
    cache_age: Type.Optional(nullable(Type.String())),
    height: Type.Optional(nullable(Type.Number())),
    html: nullable(Type.String()),
    provider_name: Type.Optional(nullable(Type.String())),
    provider_url: Type.Optional(nullable(Type.String())),
    thumbnail_height: Type.Optional(nullable(Type.Number())),
    thumbnail_url: Type.Optional(nullable(Type.String())),
    thumbnail_width: Type.Optional(nullable(Type.Number())),
    title: Type.Optional(nullable(Type.String())),
    type: Type.Enum(['rich'], { type: 'string' }),
    version: nullable(Type.String()),
    width: Type.Optional(nullable(Type.Number())),
  }),
);
export type OembedRichData = Static<typeof OembedRichData>;

export const OembedVideoData = named(
  'OembedVideoData',
  Type.Object({
    author_name: Type.Optional(nullable(Type.String())),
    author_url: Type.Optional(nullable(Type.String())),
    cache_age: Type.Optional(nullable(Type.String())),
    height: Type.Optional(nullable(Type.Number())),
    html: nullable(Type.String()),
    provider_name: Type.Optional(nullable(Type.String())),
    provider_url: Type.Optional(nullable(Type.String())),
    thumbnail_height: Type.Optional(nullable(Type.Number())),
    thumbnail_url: Type.Optional(nullable(Type.String())),
    thumbnail_width: Type.Optional(nullable(Type.Number())),
    title: Type.Optional(nullable(Type.String())),
    type: Type.Enum(['video'], { type: 'string' }),
    version: nullable(Type.String()),
    width: Type.Optional(nullable(Type.Number())),
  }),
);
export type OembedVideoData = Static<typeof OembedVideoData>;

export const OembedPhotoData = named(
  'OembedPhotoData',
  Type.Object({
    author_name: Type.Optional(nullable(Type.String())),
    author_url: Type.Optional(nullable(Type.String())),
    cache_age: Type.Optional(nullable(Type.String())),
    height: Type.Optional(nullable(Type.Number())),
    provider_name: Type.Optional(nullable(Type.String())),
    provider_url: Type.Optional(nullable(Type.String())),
    thumbnail_height: Type.Optional(nullable(Type.Number())),
    thumbnail_url: Type.Optional(nullable(Type.String())),
    thumbnail_width: Type.Optional(nullable(Type.Number())),
    title: Type.Optional(nullable(Type.String())),
    type: Type.Enum(['photo'], { type: 'string' }),
    url: nullable(Type.String()),
    version: nullable(Type.String()),
    width: Type.Optional(nullable(Type.Number())),
  }),
);
export type OembedPhotoData = Static<typeof OembedPhotoData>;

export const OembedLinkData = named(
  'OembedLinkData',
  Type.Object({
    author_name: Type.Optional(nullable(Type.String())),
    author_url: Type.Optional(nullable(Type.String())),
    cache_age: Type.Optional(nullable(Type.String())),
    provider_name: Type.Optional(nullable(Type.String())),
    provider_url: Type.Optional(nullable(Type.String())),
    thumbnail_height: Type.Optional(nullable(Type.Number())),
    thumbnail_url: Type.Optional(nullable(Type.String())),
    thumbnail_width: Type.Optional(nullable(Type.Number())),
    title: Type.Optional(nullable(Type.String())),
    type: Type.Enum(['link'], { type: 'string' }),
    version: nullable(Type.String()),
  }),
);
export type OembedLinkData = Static<typeof OembedLinkData>;

export const HtmlMetadata = named(
  'HtmlMetadata',
  Type.Object({
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
  }),
);
export type HtmlMetadata = Static<typeof HtmlMetadata>;
