import { hydrateUsers } from '../../hydrate/page.js';
import { EXAMPLE_HASH } from '../../schema/example.js';
import { ReactionsCastResponse } from '../../schema/social/reaction.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectReactionsByCast } from '../../store/query/reaction.js';
import { viewCastReactions } from '../../view/reaction.js';
import { castHash, readCastHash } from '../cast/cast-hash.js';
import { commaSeparated } from '../http/comma-separated.js';
import { viewerFid } from '../http/parameter.js';
import { listOperation } from '../page/list-operation.js';
import { REACTION_KINDS, reactionKey, reactionLimit, reactionTypes } from './reaction-list.js';

export const fetchCastReactions = listOperation({
  id: 'fetch-cast-reactions',
  path: '/v2/social/reactions/cast/',
  tags: ['Reaction'],
  title: 'List reactions to a cast',
  summary: 'List who liked or recast a cast, newest reaction first; of an unknown cast there is none.',
  cost: { each: 2, of: 'limit' },
  query: {
    hash: castHash,
    types: commaSeparated(stringEnum(REACTION_KINDS), { repeatable: true }),
    viewer_fid: viewerFid,
  },
  limit: reactionLimit,
  parameters: {
    hash: { description: 'Hash of the cast, 40 hex digits with or without 0x.', example: EXAMPLE_HASH.root },
    types: { description: 'Which reactions are listed, separated by commas.', example: 'likes,recasts' },
  },
  response: ReactionsCastResponse,
  sortKey: reactionKey,
  filters: ({ query, caller: { appId } }) => {
    const hash = readCastHash(query.hash) as string;
    return { hash, types: reactionTypes(query.types), viewer: query.viewer_fid ?? null, appId };
  },
  isUncached: true,
  select: (read, { hash, types, ...audience }, page) => selectReactionsByCast(read, hash, { ...page, types }, audience),
  keyOf: ({ ts, hash }) => ({ ts, hash }),
  view: async (rows, cursor, { query: { viewer_fid: viewer } }, read) => {
    const listed = rows.map(({ fid }) => fid);
    const dehydrated = rows.flatMap(({ appFid }) => appFid ?? []);
    return viewCastReactions(rows, cursor, await hydrateUsers(read, listed, { viewer, listed, dehydrated }));
  },
});
