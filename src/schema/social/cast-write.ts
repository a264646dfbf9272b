import Type, { type Static } from 'typebox';
import { Fid } from '../fid.js';
import { Idem } from '../idempotency.js';
import { named, namedObject } from '../named.js';
import { SignerUUID } from './signer.js';
import { User } from './user.js';

export const CastParent = named('CastParent', Type.String({ description: 'Channel parent URL or cast hash.' }));

export const PostCastReqBodyEmbedsCastIdProperties = namedObject('PostCastReqBodyEmbedsCastIdProperties', {
  fid: Fid,
  hash: Type.String(),
});

export const PostCastReqBodyEmbeds = named(
  'PostCastReqBodyEmbeds',
  Type.Union([
    Type.Object({ cast_id: PostCastReqBodyEmbedsCastIdProperties }, { additionalProperties: false }),
    Type.Object({ castId: PostCastReqBodyEmbedsCastIdProperties }, { additionalProperties: false }),
    Type.Object({ url: Type.String() }, { additionalProperties: false }),
  ]),
);

export const PostCastReqBody = namedObject('PostCastReqBody', {
  channel_id: Type.Optional(Type.String({ description: 'Writes into this channel, like `dev`.' })),
  embeds: Type.Optional(
    Type.Array(PostCastReqBodyEmbeds, { maxItems: 2, description: 'Casts and web addresses to show with the text.' }),
  ),
  idem: Type.Optional(Idem),
  parent: Type.Optional(CastParent),
  parent_author_fid: Type.Optional(Fid),
  signer_uuid: SignerUUID,
  text: Type.Optional(Type.String({ description: 'What the cast says; `@name` mentions an account.' })),
});

export const PostCastResponse = namedObject('PostCastResponse', {
  cast: Type.Object({
    author: Type.Object({ fid: Fid }),
    hash: Type.String({ pattern: '^(0x)?[a-fA-F0-9]{40}$' }),
    // Beyond the contract, which allows more members: the mentioned accounts in the order of the text.
    mentioned_profiles: Type.Optional(Type.Array(User)),
    text: Type.String(),
  }),
  success: Type.Boolean(),
});
export type PostCastResponse = Static<typeof PostCastResponse>;

export const DeleteCastReqBody = namedObject('DeleteCastReqBody', {
  signer_uuid: SignerUUID,
  target_hash: Type.String({ pattern: '^(0x)?[a-fA-F0-9]{40}$' }),
});
