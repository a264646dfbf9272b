import { choice, cursor, fid, input, limit, optional, viewerFid } from '../input.js';
import { listUsers } from '../list.js';
import { readTool } from '../tool.js';

const PATHS = {
  followers: '/v2/social/followers/',
  following: '/v2/social/following/',
  mutual: '/v2/social/followers/reciprocal/',
} as const;

export const listFollows = readTool({
  name: 'list_follows',
  title: 'See who follows whom',
  description:
    'List who follows a person (followers), whom a person follows (following), or both at once (mutual). Whether two people follow each other says read_profile with viewer_fid.',
  input: input({
    fid: fid('The person.'),
    direction: choice(['followers', 'following', 'mutual'], 'Which follows.'),
    order: optional(choice(['desc_chron', 'algorithmic'], 'By time, newest first, or by score.')),
    viewer_fid: optional(viewerFid),
    limit: optional(limit(25, 15)),
    cursor: optional(cursor),
  }),
  run: ({ fid: account, direction, order, viewer_fid, limit: most = 15, cursor: after }, call) =>
    listUsers(call, PATHS[direction], { fid: account, sort_type: order, viewer_fid, cursor: after }, most),
});
