import Type from 'typebox';
import { hydrateCasts } from '../../hydrate/page.js';
import { toUnixMs } from '../../protocol/time.js';
import { FidOrZero } from '../../schema/fid.js';
import { ReactionsResponse } from '../../schema/social/reaction.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectNextReactionByUser, selectReactionsByUser } from '../../store/query/reaction.js';
import { viewUserReactions } from '../../view/reaction.js';
import { operation } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { openReactionList, REACTION_KINDS, reactionLimit, reactionTypes } from './reaction-list.js';

const ID = 'fetch-user-reactions';

export const fetchUserReactions = operation({
  id: ID,
  path: '/v2/social/reactions/user/',
  tags: ['Reaction'],
  summary: 'List the casts that a user or an app liked or recast, newest reaction first.',
  query: Type.Object({
    fid: FidOrZero,
    viewer_fid: viewerFid,
    type: stringEnum(REACTION_KINDS),
    limit: reactionLimit,
    cursor: Type.Optional(Type.String()),
  }),
  response: ReactionsResponse,
  read: async ({ query, caller }, read, services) => {
    const { fid, viewer_fid: viewer } = query;
    const filters = { fid, types: reactionTypes([query.type]), viewer, appId: caller.appId };
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const { rows, cursor } = await read.list([ID, filters, query.limit, query.cursor], async (inner) => {
      const list = openReactionList({ ...services, read: inner }, ID, query, filters);
      // No account has fid 0, but old data may contain messages with it.
      const [found, next] = await Promise.all([
        fid === 0 ? [] : selectReactionsByUser(inner, fid, list.page, audience),
        list.page.after === undefined ? selectNextReactionByUser(inner, fid, list.page) : null,
      ]);
      inner.endsAt(next === null ? null : toUnixMs(next));
      return list.cut(found);
    });
    const dehydrated = [fid, ...rows.flatMap((row) => row.app_fid ?? [])];
    const page = await hydrateCasts(
      read,
      rows.map((row) => row.cast_hash),
      { audience, dehydrated },
    );
    return viewUserReactions(fid, rows, cursor, page);
  },
});
