import Type from 'typebox';
import { hydrateCastsAndUsers } from '../../hydrate/cast-and-user.js';
import { FidOrZero } from '../../schema/fid.js';
import { ReactionsResponse } from '../../schema/reaction.js';
import { selectReactionsByUser } from '../../store/reaction-read.js';
import { viewUserReactions } from '../../view/reaction.js';
import { operation } from '../operation.js';
import { viewerFid } from '../parameter.js';
import { openReactionList, REACTION_KINDS, reactionLimit, reactionTypes } from './reaction-list.js';

const ID = 'fetch-user-reactions';

export const fetchUserReactions = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/reactions/user/',
  tags: ['Reaction'],
  summary: 'List the casts that a user or an app liked or recast, newest reaction first.',
  family: 'v2',
  scope: 'read',
  units: ({ query }) => query.limit,
  query: Type.Object({
    fid: FidOrZero,
    viewer_fid: viewerFid,
    type: Type.Enum(REACTION_KINDS, { type: 'string' }),
    limit: reactionLimit,
    cursor: Type.Optional(Type.String()),
  }),
  response: ReactionsResponse,
  errors: [400],
  handle: async ({ query, caller }, services) => {
    const { fid, viewer_fid: viewer } = query;
    const filters = { fid, types: reactionTypes([query.type]), viewer, appId: caller.appId };
    const list = openReactionList(services, ID, query, filters);
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    // Fid 0 is nobody, and old data may hold messages of nobody.
    const found = fid === 0 ? [] : await selectReactionsByUser(services.db, fid, list.page, audience);
    const { rows, cursor } = list.cut(found);
    const apps = rows.flatMap((row) => row.app_fid ?? []);
    const shown = { hashes: [...new Set(rows.map((row) => row.cast_hash))], fids: [...new Set([fid, ...apps])] };
    const page = await hydrateCastsAndUsers(services, shown, { now: list.now, viewer, audience });
    return viewUserReactions(fid, rows, cursor, page);
  },
});
