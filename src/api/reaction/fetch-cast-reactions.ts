import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { ReactionsCastResponse } from '../../schema/social/reaction.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectReactionsByCast } from '../../store/query/reaction.js';
import { viewCastReactions } from '../../view/reaction.js';
import { castHash, readCastHash } from '../cast/cast-hash.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { openReactionList, REACTION_KINDS, reactionLimit, reactionTypes } from './reaction-list.js';

const ID = 'fetch-cast-reactions';

export const fetchCastReactions = operation({
  id: ID,
  path: '/v2/social/reactions/cast/',
  tags: ['Reaction'],
  summary: 'List who liked or recast a cast, newest reaction first; of an unknown cast there is none.',
  query: Type.Object({
    hash: castHash,
    types: commaSeparated(stringEnum(REACTION_KINDS), { repeatable: true }),
    viewer_fid: viewerFid,
    limit: reactionLimit,
    cursor: Type.Optional(Type.String()),
  }),
  response: ReactionsCastResponse,
  read: async ({ query, caller }, read, services) => {
    const { viewer_fid: viewer } = query;
    const hash = readCastHash(query.hash) as string;
    const filters = { hash, types: reactionTypes(query.types), viewer, appId: caller.appId };
    const list = openReactionList({ read, ...services }, ID, query, filters);
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const { rows, cursor } = list.cut(await selectReactionsByCast(read, hash, list.page, audience));
    const listed = rows.map(({ fid }) => fid);
    const dehydrated = rows.flatMap(({ app_fid }) => app_fid ?? []);
    const page = await hydrateUsers(read, listed, { viewer, listed, dehydrated });
    return viewCastReactions(rows, cursor, page);
  },
});
