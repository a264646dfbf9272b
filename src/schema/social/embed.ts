import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';
import { CastDehydrated, CastId, CastParentAuthor } from './cast-dehydrated.js';
import { ChannelDehydrated } from './channel-dehydrated.js';
import { EmbedUrl } from './embed-url.js';
import { UserDehydrated } from './user-dehydrated.js';

export const EmbedCastDeep = namedObject('EmbedCastDeep', { cast: CastDehydrated, cast_id: Type.Optional(CastId) });
export const EmbedDeep = named('EmbedDeep', Type.Union([EmbedCastDeep, EmbedUrl]));
/** A cast inside another one: it has no counters, and its own embedded casts are dehydrated, which ends the nesting. */
export const CastEmbedded = namedObject('CastEmbedded', {
  object: Type.Optional(stringEnum(['cast'])),
  app: Type.Optional(nullable(UserDehydrated)),
  author: UserDehydrated,
  channel: nullable(ChannelDehydrated),
  embeds: Type.Array(EmbedDeep),
  hash: Type.String(),
  parent_author: CastParentAuthor,
  parent_hash: nullable(Type.String()),
  parent_url: nullable(Type.String()),
  root_parent_url: nullable(Type.String()),
  text: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
});
export type CastEmbedded = Static<typeof CastEmbedded>;

export const EmbedCast = namedObject('EmbedCast', { cast: CastEmbedded, cast_id: Type.Optional(CastId) });
export const Embed = named('Embed', Type.Union([EmbedCast, EmbedUrl]));
export type Embed = Static<typeof Embed>;
