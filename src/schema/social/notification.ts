import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { Cast } from './cast.js';
import { Follower } from './follow.js';
import { ReactionWithUserInfo } from './reaction.js';

export const NotificationFilterType = named(
  'NotificationFilterType',
  stringEnum(['follows', 'recasts', 'likes', 'mentions', 'replies', 'quotes']),
);

export const Notification = namedObject('Notification', {
  cast: Type.Optional(Cast),
  count: Type.Optional(Type.Integer({ format: 'int32', description: 'Number of events bundled in this record.' })),
  follows: Type.Optional(Type.Array(Follower)),
  most_recent_timestamp: Type.String({ format: 'date-time' }),
  object: stringEnum(['notification']),
  reactions: Type.Optional(Type.Array(ReactionWithUserInfo)),
  seen: Type.Boolean(),
  type: stringEnum(['follows', 'recasts', 'likes', 'mention', 'reply', 'quote', 'cast-mention']),
});
export type Notification = Static<typeof Notification>;

export const NotificationsResponse = namedObject('NotificationsResponse', {
  next: NextCursor,
  notifications: Type.Array(Notification),
  unseen_notifications_count: Type.Integer({
    format: 'int32',
    description: 'Notifications of this list that are not seen: exact up to 1000, and 1000 where there are more.',
  }),
});

export const UserInteractionsResponse = namedObject('UserInteractionsResponse', {
  interactions: Type.Array(Notification),
});

export const MarkNotificationsAsSeenReqBody = namedObject('MarkNotificationsAsSeenReqBody', {
  signer_uuid: Type.Optional(
    Type.String({ description: 'Needed unless a bearer token is sent; the signer needs one write permission.' }),
  ),
  type: Type.Optional(NotificationFilterType),
  fid: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 1,
      description: 'Extension: whose notifications were seen, for keys with the scope seen; no signer is needed then.',
    }),
  ),
});
