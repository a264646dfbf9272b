import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { Cast } from './cast.js';
import { User } from './user.js';

/**
 * A cast with its nested replies, down to the requested `reply_depth`. In JSON Schema a recursive shape is `{$defs:
 * {Name: {$id, ...}}, $ref: 'Name'}`; in the OpenAPI document the definition is the component of that name and the
 * reference points to it.
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
export const Conversation = namedObject('Conversation', {
  conversation: Type.Object({
    cast: CastAndConversations,
    chronological_parent_casts: Type.Optional(Type.Array(Cast)),
  }),
  next: Type.Optional(NextCursor),
});
export type Conversation = Static<typeof Conversation>;

/** Users are shown in full. */
export const ConversationSummary = namedObject('ConversationSummary', {
  summary: Type.Object({
    mentioned_profiles: Type.Array(User, { description: 'Accounts mentioned in the casts that the text names.' }),
    participants: Type.Array(User, { description: 'Authors of the casts.' }),
    text: Type.String(),
  }),
});
