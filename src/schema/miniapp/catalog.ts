import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { SocialManifest } from '../social/frame.js';
import { HtmlMetadata } from '../social/html-metadata.js';
import { User } from '../social/user.js';
import { UserDehydrated } from '../social/user-dehydrated.js';
import { stringEnum } from '../string-enum.js';

export const MiniAppNetwork = named(
  'MiniAppNetwork',
  stringEnum([
    'ethereum',
    'base',
    'arbitrum',
    'arbitrum-sepolia',
    'base-sepolia',
    'degen',
    'gnosis',
    'optimism',
    'optimism-sepolia',
    'polygon',
    'ethereum-sepolia',
    'zora',
    'unichain',
    'monad-testnet',
    'celo',
    'solana',
  ]),
);
export type MiniAppNetwork = Static<typeof MiniAppNetwork>;

const members = {
  author: Type.Optional(User),
  frames_url: Type.String(),
  image: Type.String(),
  manifest: Type.Optional(SocialManifest),
  metadata: Type.Optional(Type.Object({ html: HtmlMetadata })),
  title: Type.Optional(Type.String()),
  version: Type.String(),
};

export const FrameV2WithFullAuthor = namedObject('FrameV2WithFullAuthor', members);

export const FrameCatalogResponse = namedObject('FrameCatalogResponse', {
  frames: Type.Array(FrameV2WithFullAuthor),
  next: NextCursor,
});

export const RelevantFramesResponse = namedObject('RelevantFramesResponse', {
  relevant_frames: Type.Array(
    Type.Object({
      frame: Type.Object(members),
      remaining_relevant_users: Type.Array(UserDehydrated),
      top_relevant_users: Type.Array(User),
    }),
  ),
});
