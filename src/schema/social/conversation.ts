import Type, { type Static } from 'typebox';
import { Cast } from './cast.js';
import { named } from '../named.js';
import { NextCursor } from '../page.js';

/**
 * A cast with its replies, theirs within, down to the requested `reply_depth`.
 * A shape that holds itself stands in JSON Schema as `{$defs: {Name: {$id, ...}}, $ref: 'Name'}`; in the OpenAPI
 * document the definition is the component of that name and the reference points to it.
 */
export const CastAndConversations = named(
  'CastAndConversations',
  Type.Cyclic(
    {
      CastAndConversations: Type.Object({
        ...Cast.properties,
        direct_replies: Type.Array(Type.Ref('CastAndConversations'), {
          description: 'Nested down to the requested reply_depth.',
        }),
      }),
    },
    'CastAndConversations',
  ),
);
export type CastAndConversations = Static<typeof CastAndConversations>;

export const Conversation = named(
  'Conversation',
  Type.Object({
    conversation: Type.Object({
      cast: CastAndConversations,
      chronological_parent_casts: Type.Optional(Type.Array(Cast)),
    }),
    next: Type.Optional(NextCursor),
  }),
);
export type Conversation = Static<typeof Conversation>;
