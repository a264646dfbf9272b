import Type, { type Static } from 'typebox';
import { named } from '../named.js';
import { NextCursor } from '../page.js';
import { Cast } from './cast.js';
import { Follower } from './follow.js';
import { ReactionWithUserInfo } from './reaction.js';

export const NotificationFilterType = named(
  'NotificationFilterType',
  Type.Enum(['follows', 'recasts', 'likes', 'mentions', 'replies', 'quotes'], { type: 'string' }),
);

export const Notification = named(
  'Notification',
  Type.Object({
    cast: Type.Optional(Cast),
    count: Type.Optional(Type.Integer({ format: 'int32', description: 'Number of events bundled in this record.' })),
    follows: Type.Optional(Type.Array(Follower)),
    most_recent_timestamp: Type.String({ format: 'date-time' }),
    object: Type.Enum(['notification'], { type: 'string' }),
    reactions: Type.Optional(Type.Array(ReactionWithUserInfo)),
    seen: Type.Boolean(),
    type: Type.Enum(['follows', 'recasts', 'likes', 'mention', 'reply', 'quote', 'cast-mention'], { type: 'string' }),
  }),
);
export type Notification = Static<typeof Notification>;

export const NotificationsResponse = named(
  'NotificationsResponse',
  Type.Object({
    next: NextCursor,
    notifications: Type.Array(Notification),
    unseen_notifications_count: Type.Integer({
      format: 'int32',
      description: 'Notifications of this list that are not seen: exact up to 1000, and 1000 where there are more.',
    }),
  }),
);

export const MarkNotificationsAsSeenReqBody = named(
  'MarkNotificationsAsSeenReqBody',
  Type.Object({
    signer_uuid: Type.Optional(
      Type.String({ description: 'Needed unless a bearer token is sent; the signer needs one write permission.' }),
    ),
    type: Type.Optional(NotificationFilterType),
    fid: Type.Optional(
      Type.Integer({
        format: 'int32',
        minimum: 1,
        description:
          'Extension: whose notifications were seen, for keys with the scope seen; no signer is needed then.',
      }),
    ),
  }),
);
