import { CallError } from '../call.js';
import { channelId, choice, cursor, fid, input, limit, optional, text, viewerFid } from '../input.js';
import { listAllCasts, listCasts } from '../list.js';
import { readTool } from '../tool.js';

const KINDS = ['following', 'for_you', 'user', 'replies', 'popular', 'channel', 'topic'] as const;
type Kind = (typeof KINDS)[number];

/** Where a kind of feed is read, and which input it needs. */
const FEEDS: Readonly<Record<Kind, { readonly path: string; readonly needs: 'fid' | 'channel_id' | 'topic' }>> = {
  following: { path: '/v2/social/feed/following/', needs: 'fid' },
  for_you: { path: '/v2/social/feed/for_you/', needs: 'fid' },
  user: { path: '/v2/social/feed/user/casts/', needs: 'fid' },
  replies: { path: '/v2/social/feed/user/replies_and_recasts/', needs: 'fid' },
  popular: { path: '/v2/social/feed/user/popular/', needs: 'fid' },
  channel: { path: '/v2/social/feed/channels/', needs: 'channel_id' },
  topic: { path: '/v2/social/feed/topic/', needs: 'topic' },
};

const NAMES = { fid: 'fid', channel_id: 'channel_ids', topic: 'slug' } as const;

export const readFeed = readTool({
  name: 'read_feed',
  title: 'Read a feed',
  description:
    'Read casts, latest first: of the accounts that a person follows (following), chosen for a person (for_you, ranked), written by a person (user), the replies and recasts of a person (replies), the most popular casts of a person (popular), of a channel, or of a trending topic. list_trending has what is trending.',
  input: input({
    kind: choice(KINDS, 'Which feed; all but channel and topic need fid.'),
    fid: optional(fid('The person whose feed or casts are read.')),
    channel_id: optional(channelId),
    topic: optional(text(200, 'Slug of a topic, as list_trending shows it.')),
    viewer_fid: optional(viewerFid),
    limit: optional(limit(25, 10)),
    cursor: optional(cursor),
  }),
  run: async ({ kind, viewer_fid, limit: most = 10, cursor: after, ...values }, call) => {
    const { path, needs } = FEEDS[kind];
    const value = values[needs];
    if (value === undefined) throw new CallError(400, 'InvalidField', `A feed of the kind ${kind} needs ${needs}.`);
    const query = { [NAMES[needs]]: value, viewer_fid };
    // This operation has no pages: it always answers with ten casts at most.
    if (kind === 'popular') return listAllCasts(call, { path, query }, { cursor: after, limit: most });
    return listCasts(call, path, { ...query, cursor: after }, most);
  },
});
