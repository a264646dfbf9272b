import Type from 'typebox';
import { type CastJson, type UserJson, viewCast } from '../entity.js';
import { choice, cursor, fid, input, limit, optional } from '../input.js';
import { listPages } from '../list.js';
import { readTool } from '../tool.js';

interface Notification {
  readonly type: string;
  readonly seen: boolean;
  readonly most_recent_timestamp: string;
  readonly count?: number;
  readonly cast?: CastJson;
  readonly follows?: readonly { readonly user: UserJson }[];
  readonly reactions?: readonly { readonly user: UserJson }[];
}

/** So many of the people behind a notification are named; `count` has their number. */
const MAX_NAMES = 5;

const TYPES = ['follows', 'recasts', 'likes', 'mentions', 'replies', 'quotes'] as const;

export const listNotifications = readTool({
  name: 'list_notifications',
  title: 'Read notifications',
  description:
    'List the notifications of a person, newest first: follows by day, likes and recasts by cast, mentions, replies, quotes. seen says whether they were marked as seen in this app.',
  input: input({
    fid: fid('The person who is notified.'),
    types: optional(
      Type.Array(choice(TYPES, 'A kind.'), {
        minItems: 1,
        maxItems: 6,
        description: 'Keeps these kinds; all when absent.',
      }),
    ),
    limit: optional(limit(25, 10)),
    cursor: optional(cursor),
  }),
  run: ({ fid: account, types, limit: most = 10, cursor: after }, call) =>
    listPages({
      call,
      path: '/v2/social/notifications/',
      query: { fid: account, type: types, cursor: after },
      itemsOf: (body: { readonly notifications: readonly Notification[] }) => body.notifications,
      limit: most,
      view: ({ type, seen, most_recent_timestamp: at, count, cast, follows = [], reactions = [] }, cut) => {
        const people = [...follows, ...reactions].slice(0, MAX_NAMES).map(({ user }) => cut(user.username));
        return {
          type,
          seen,
          at,
          count,
          people: people.length > 0 ? people : undefined,
          cast: cast && viewCast(cast, cut),
        };
      },
      what: 'notifications',
    }),
});
