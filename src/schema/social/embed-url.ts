import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';
import { Frame } from './frame.js';
import { HtmlMetadata } from './html-metadata.js';

export const EmbedContentType = named(
  'EmbedContentType',
  stringEnum([
    'text',
    'image',
    'video',
    'audio',
    'text/html',
    'text/plain',
    'image/jpeg',
    'image/png',
    'image/gif',
    'image/webp',
    'image/svg+xml',
    'image/heif',
    'video/mp4',
    'video/quicktime',
    'audio/mpeg',
    'application/pdf',
    'application/json',
    'application/x-mpegurl',
  ]),
);

export const EmbedUrlMetadata = namedObject('EmbedUrlMetadata', {
  _status: Type.String(),
  content_length: Type.Optional(nullable(Type.Integer())),
  content_type: Type.Optional(nullable(Type.String())),
  frame: Type.Optional(Frame),
  html: Type.Optional(HtmlMetadata),
  image: Type.Optional(
    Type.Object({ height_px: Type.Optional(Type.Integer()), width_px: Type.Optional(Type.Integer()) }),
  ),
  video: Type.Optional(
    Type.Object({
      duration_s: Type.Optional(Type.Number()),
      stream: Type.Optional(
        Type.Array(
          Type.Object({
            codec_name: Type.Optional(Type.String()),
            height_px: Type.Optional(Type.Integer()),
            width_px: Type.Optional(Type.Integer()),
          }),
        ),
      ),
    }),
  ),
});
export type EmbedUrlMetadata = Static<typeof EmbedUrlMetadata>;

export const EmbedUrl = namedObject('EmbedUrl', { metadata: Type.Optional(EmbedUrlMetadata), url: Type.String() });
