import Type, { type TInteger, type TSchema } from 'typebox';
import { hydrateUsers, type Page } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { nullable } from '../../schema/nullable.js';
import { stringEnum } from '../../schema/string-enum.js';
import { type FollowKind, type FollowRow, selectFollows } from '../../store/query/follow.js';
import type { Operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { pagedOperation } from '../page/paged-operation.js';

/** By time, or by score among the newest follows. */
const SORTS: ['desc_chron', 'algorithmic'] = ['desc_chron', 'algorithmic'];

const Place = Type.Object({ ts: Type.Integer(), hash: Type.String() });
const sortKey = Type.Object({
  score: nullable(Type.Number()),
  ts: Type.Integer(),
  hash: Type.String(),
  edge: nullable(Place),
});

/** @param usual number of accounts on a page when the request names none */
export const followLimit = (usual: number): TInteger =>
  Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: usual });

export const byTimeOrScore = {
  description: 'desc_chron when absent; algorithmic ranks the newest 1,000 by score, older ones follow by time.',
};

interface FollowListDefinition extends Pick<Operation, 'id' | 'path' | 'title' | 'summary' | 'parameters'> {
  readonly kind: FollowKind;
  readonly limit: TInteger;
  /** Of the parameter `sort_type`. Without a default, the list is sorted by time. */
  readonly sort: { readonly description: string; readonly default?: 'algorithmic' };
  readonly response: TSchema;
  readonly view: (rows: readonly FollowRow[], page: Page, cursor: string | null) => Buffer;
}

/** Declares an operation that lists followers, followed accounts or mutual follows page by page. */
export const followListOperation = ({ kind, sort, view, ...definition }: FollowListDefinition): Operation =>
  pagedOperation({
    ...definition,
    tags: ['Follows'],
    cost: { each: 2, of: 'limit' },
    headers: experimentalHeader,
    query: {
      fid: Fid,
      viewer_fid: viewerFid,
      sort_type: sort.default ? stringEnum(SORTS, sort) : Type.Optional(stringEnum(SORTS, sort)),
    },
    errors: [400, 500],
    sortKey,
    filters: ({ query: { fid, viewer_fid: viewer = null, sort_type: order = 'desc_chron' }, caller: { appId } }) => ({
      ...{ fid, viewer, order, appId },
    }),
    // A change of scores invalidates no tag, so lists by score are not cached; most lists other than followers are short.
    isUncached: ({ order }) => kind !== 'followers' || order !== 'desc_chron',
    load: async (read, { fid, order, ...audience }, { after, size, horizon }) => {
      const page = { ranked: order === 'algorithmic', horizon, after, limit: size };
      const { rows, next } = await selectFollows(read, kind, fid, audience, page);
      return { content: rows, end: next ?? undefined };
    },
    view: async (rows, cursor, _, read, { viewer }) => {
      const listed = rows.map(({ fid }) => fid);
      const dehydrated = rows.flatMap(({ appFid }) => appFid ?? []);
      return view(rows, await hydrateUsers(read, listed, { viewer: viewer ?? undefined, listed, dehydrated }), cursor);
    },
  });
