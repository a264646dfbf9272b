import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { FrameCatalogResponse } from '../../schema/miniapp/catalog.js';
import { MINI_APP_CATEGORIES } from '../../schema/miniapp/manifest.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectCatalog } from '../../store/miniapp/catalog-list.js';
import { viewFrames } from '../../view/frame.js';
import { commaSeparated } from '../http/comma-separated.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { countOf, networks, timeWindow } from './frame-query.js';

const list = {
  operationId: 'fetch-frame-catalog',
  // All pages are of the same count, so that no mini app is on two of them.
  sortKey: Type.Object({
    counted: Type.Integer(),
    is_featured: Type.Boolean(),
    change: Type.Number(),
    domain: Type.String(),
  }),
};

export const fetchFrameCatalog = operation({
  id: list.operationId,
  path: '/v2/social/frame/catalog/',
  tags: ['Frame'],
  summary: 'List mini apps: featured ones, then by the change of their score over a period, as it was counted last.',
  query: Type.Object({
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 100 }),
    cursor: Type.Optional(Type.String()),
    time_window: timeWindow('The period over which the change of the score is taken.'),
    categories: Type.Optional(commaSeparated(stringEnum(MINI_APP_CATEGORIES), { repeatable: true })),
    networks,
  }),
  response: FrameCatalogResponse,
  errors: [],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { time_window: window, categories = null, networks: required = null } = query;
    const filters = { window, categories, required, app: caller.appId };
    const { after, limit, cut } = openPage(cursorKey, list, filters, query, read.now);
    const counted = await countOf(read, after?.counted);
    const filter = { window, counted, categories, networks: required };
    const found = await selectCatalog(read, { appId: caller.appId, viewer: null }, filter, after, limit);
    const { rows, cursor } = cut(found, ({ is_featured, change, domain }) => ({
      counted,
      is_featured,
      change,
      domain,
    }));
    const authors = rows.map(({ author_fid }) => author_fid);
    return viewFrames(rows, await hydrateUsers(read, authors), cursor);
  },
});
