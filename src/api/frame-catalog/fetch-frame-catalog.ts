import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { FrameCatalogResponse } from '../../schema/miniapp/catalog.js';
import { MINI_APP_CATEGORIES } from '../../schema/miniapp/manifest.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectCatalog } from '../../store/miniapp/catalog-list.js';
import { viewFrames } from '../../view/frame.js';
import { commaSeparated } from '../http/comma-separated.js';
import { listOperation } from '../page/list-operation.js';
import { countOf, networks, timeWindow } from './frame-query.js';

export const fetchFrameCatalog = listOperation({
  id: 'fetch-frame-catalog',
  path: '/v2/social/frame/catalog/',
  tags: ['Frame'],
  title: 'List mini apps',
  summary: 'List mini apps: featured ones, then by the change of their score over a period, as it was counted last.',
  cost: { each: 2, of: 'limit' },
  query: {
    time_window: timeWindow('The period over which the change of the score is taken.'),
    categories: Type.Optional(commaSeparated(stringEnum(MINI_APP_CATEGORIES), { repeatable: true })),
    networks,
  },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 100 }),
  parameters: {
    time_window: { example: '24h' },
    categories: { description: 'Keeps mini apps of these categories, separated by commas; all when absent.' },
    networks: {
      description: 'Keeps mini apps that require one of these networks, or name none; separated by commas.',
      example: 'base',
    },
  },
  response: FrameCatalogResponse,
  errors: [],
  // All pages are of the same count, so that no mini app is on two of them.
  sortKey: Type.Object({
    counted: Type.Integer(),
    isFeatured: Type.Boolean(),
    change: Type.Number(),
    domain: Type.String(),
  }),
  filters: ({ query: { time_window: window, categories = null, networks: required = null }, caller: { appId } }) => ({
    ...{ window, categories, networks: required, appId },
  }),
  isUncached: true,
  select: async (read, { appId, ...filter }, { after, limit }) => {
    const counted = await countOf(read, after?.counted);
    const found = await selectCatalog(read, { appId, viewer: null }, { ...filter, counted }, after, limit);
    return found.map((row) => ({ ...row, counted }));
  },
  keyOf: ({ counted, isFeatured, change, domain }) => ({ counted, isFeatured, change, domain }),
  view: async (rows, cursor, _, read) => {
    const authors = rows.map(({ authorFid }) => authorFid);
    return viewFrames(rows, await hydrateUsers(read, authors), cursor);
  },
});
