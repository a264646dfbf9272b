import { hydrateCasts } from '../../hydrate/page.js';
import { toUnixMs } from '../../protocol/time.js';
import { FidOrZero } from '../../schema/fid.js';
import { ReactionsResponse } from '../../schema/social/reaction.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectNextReactionByUser, selectReactionsByUser } from '../../store/query/reaction.js';
import { viewUserReactions } from '../../view/reaction.js';
import { viewerFid } from '../http/parameter.js';
import { listOperation } from '../page/list-operation.js';
import { REACTION_KINDS, reactionKey, reactionLimit, reactionTypes } from './reaction-list.js';

export const fetchUserReactions = listOperation({
  id: 'fetch-user-reactions',
  path: '/v2/social/reactions/user/',
  tags: ['Reaction'],
  title: "List a user's reactions",
  summary: 'List the casts that a user or an app liked or recast, newest reaction first.',
  cost: { each: 2, of: 'limit' },
  query: { fid: FidOrZero, viewer_fid: viewerFid, type: stringEnum(REACTION_KINDS) },
  limit: reactionLimit,
  parameters: {
    fid: { description: 'The account whose reactions are listed.', example: 1 },
    type: { description: 'Which reactions are listed.', example: 'all' },
  },
  response: ReactionsResponse,
  sortKey: reactionKey,
  filters: ({ query: { fid, viewer_fid: viewer = null, type }, caller: { appId } }) => ({
    ...{ fid, types: reactionTypes([type]), viewer, appId },
  }),
  select: async (read, { fid, types, ...audience }, { after, limit, horizon }) => {
    const page = { types, after, limit, horizon };
    // No account has fid 0, but old data may contain messages with it.
    const [found, next] = await Promise.all([
      fid === 0 ? [] : selectReactionsByUser(read, fid, page, audience),
      after === undefined ? selectNextReactionByUser(read, fid, page) : null,
    ]);
    read.endsAt(next === null ? null : toUnixMs(next));
    return found;
  },
  keyOf: ({ ts, hash }) => ({ ts, hash }),
  view: async (rows, cursor, { query: { fid, viewer_fid: viewer = null }, caller: { appId } }, read) => {
    const dehydrated = [fid, ...rows.flatMap((row) => row.appFid ?? [])];
    const page = await hydrateCasts(
      read,
      rows.map((row) => row.castHash),
      { audience: { appId, viewer }, dehydrated },
    );
    return viewUserReactions(fid, rows, cursor, page);
  },
});
