import Type from 'typebox';
import { hydrateCastsAndUsers } from '../../hydrate/cast-and-user.js';
import { dueAt } from '../../hydrate/list-cache.js';
import { FidOrZero } from '../../schema/fid.js';
import { ReactionsResponse } from '../../schema/reaction.js';
import { audienceSources, reactionsOf, signersOf } from '../../store/list-source.js';
import { selectNextReactionByUser, selectReactionsByUser } from '../../store/reaction-read.js';
import type { Audience } from '../../store/visibility.js';
import { viewUserReactions } from '../../view/reaction.js';
import { answerList } from '../list-answer.js';
import { operation } from '../operation.js';
import { viewerFid } from '../parameter.js';
import type { Services } from '../service.js';
import {
  openReactionList,
  REACTION_KINDS,
  type ReactionFilters,
  reactionLimit,
  reactionTypes,
} from './reaction-list.js';

const ID = 'fetch-user-reactions';

const readPage = async (
  services: Services,
  query: { readonly fid: number; readonly limit: number; readonly cursor?: string },
  filters: ReactionFilters,
  audience: Audience,
) => {
  const { db } = services;
  const list = openReactionList(services, ID, query, filters);
  // Fid 0 is nobody, and old data may hold messages of nobody.
  const [found, next] = await Promise.all([
    query.fid === 0 ? [] : selectReactionsByUser(db, query.fid, list.page, audience),
    list.page.after === undefined ? selectNextReactionByUser(db, query.fid, list.page) : null,
  ]);
  const { rows, cursor } = list.cut(found);
  // The hash of the reaction itself is for the cursor alone.
  const shown = rows.map(({ hash, ...row }) => row);
  return { page: { rows: shown, cursor }, bytes: 140 * rows.length, until: dueAt(next) };
};

export const fetchUserReactions = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/reactions/user/',
  tags: ['Reaction'],
  summary: 'List the casts that a user or an app liked or recast, newest reaction first.',
  family: 'v2',
  scope: 'read',
  query: Type.Object({
    fid: FidOrZero,
    viewer_fid: viewerFid,
    type: Type.Enum(REACTION_KINDS, { type: 'string' }),
    limit: reactionLimit,
    cursor: Type.Optional(Type.String()),
  }),
  response: ReactionsResponse,
  errors: [400],
  handle: ({ query, caller }, services) => {
    const { fid, viewer_fid: viewer } = query;
    const filters = { fid, types: reactionTypes([query.type]), viewer, appId: caller.appId };
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const now = services.clock();
    return answerList(
      services,
      {
        key: [ID, filters, query.limit, query.cursor],
        sources: [reactionsOf(fid), signersOf(fid), ...audienceSources(audience)],
        now,
      },
      () => readPage(services, query, filters, audience),
      async ({ rows, cursor }, basis) => {
        const apps = rows.flatMap((row) => row.app_fid ?? []);
        const shown = { hashes: [...new Set(rows.map((row) => row.cast_hash))], fids: [...new Set([fid, ...apps])] };
        const page = await hydrateCastsAndUsers(services, shown, { now, viewer, audience, basis });
        return viewUserReactions(fid, rows, cursor, page);
      },
    );
  },
});
