import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { HtmlMetadata } from './html-metadata.js';
import { UserDehydrated } from './user-dehydrated.js';

export const FrameButtonActionType = named(
  'FrameButtonActionType',
  stringEnum(['post', 'post_redirect', 'tx', 'link', 'mint'], {
    description: 'mint and link are handled by the client only.',
  }),
);

export const FrameActionButton = namedObject('FrameActionButton', {
  action_type: FrameButtonActionType,
  index: Type.Integer(),
  post_url: Type.Optional(Type.String()),
  target: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
});
export const FrameV1 = namedObject('FrameV1', {
  buttons: Type.Optional(Type.Array(FrameActionButton)),
  frames_url: Type.String(),
  image: Type.String(),
  image_aspect_ratio: Type.Optional(Type.String()),
  input: Type.Optional(Type.Object({ text: Type.Optional(Type.String()) })),
  post_url: Type.Optional(Type.String()),
  state: Type.Optional(Type.Object({ serialized: Type.Optional(Type.String()) })),
  title: Type.Optional(Type.String()),
  version: Type.String({ description: 'vNext.' }),
});
export type FrameV1 = Static<typeof FrameV1>;

export const EncodedJsonSocialSignature = namedObject('EncodedJsonSocialSignature', {
  header: Type.String(),
  payload: Type.String(),
  signature: Type.String(),
});
export type EncodedJsonSocialSignature = Static<typeof EncodedJsonSocialSignature>;

export const SocialManifestConfig = namedObject('SocialManifestConfig', {
  button_title: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  hero_image_url: Type.Optional(Type.String({ format: 'uri' })),
  home_url: Type.String(),
  icon_url: Type.String(),
  image_url: Type.Optional(Type.String()),
  name: Type.String(),
  noindex: Type.Optional(Type.Boolean()),
  og_description: Type.Optional(Type.String()),
  og_image_url: Type.Optional(Type.String({ format: 'uri' })),
  og_title: Type.Optional(Type.String()),
  primary_category: Type.Optional(Type.String()),
  screenshot_urls: Type.Optional(Type.Array(Type.String({ format: 'uri' }))),
  splash_background_color: Type.Optional(Type.String()),
  splash_image_url: Type.Optional(Type.String()),
  subtitle: Type.Optional(Type.String()),
  tagline: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  version: stringEnum(['1', '0.0.0', '0.0.1', 'next']),
  webhook_url: Type.Optional(Type.String()),
});
export const SocialManifest = namedObject('SocialManifest', {
  account_association: EncodedJsonSocialSignature,
  frame: Type.Optional(SocialManifestConfig),
  miniapp: Type.Optional(SocialManifestConfig),
});
export const FrameV2 = namedObject('FrameV2', {
  author: Type.Optional(UserDehydrated),
  frames_url: Type.String(),
  image: Type.String(),
  manifest: Type.Optional(SocialManifest),
  metadata: Type.Optional(Type.Object({ html: HtmlMetadata })),
  title: Type.Optional(Type.String()),
  version: Type.String(),
});
export type FrameV2 = Static<typeof FrameV2>;
export const Frame = named('Frame', Type.Union([FrameV1, FrameV2]));
export type Frame = Static<typeof Frame>;
