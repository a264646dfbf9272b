import Type from 'typebox';
import { RefusedItemsResponse } from '../../schema/operator/service.js';
import { selectRefusedItems } from '../../store/protocol/refused-item.js';
import { operation } from '../http/operation.js';

const MAX_ROWS = 100;

export const listRefusedItems = operation({
  id: 'list-refused-items',
  path: '/operator/refused-items',
  tags: ['operator'],
  title: 'List refused items',
  summary: 'List items of hubs and files that could not be stored, and why; they are kept until they can be.',
  cost: { fixed: 0 },
  scope: 'operator',
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS, description: 'Items of a page.' }),
    ),
    cursor: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: '`next.cursor` of the page before.' })),
  }),
  response: RefusedItemsResponse,
  errors: [400, 403],
  handle: async ({ query: { limit = MAX_ROWS, cursor = '0' } }, { db }) => {
    const found = await selectRefusedItems(db, Number(cursor), limit + 1);
    const page = found.slice(0, limit);
    return {
      items: page.map((row) => ({
        id: row.id,
        kind: row.kind,
        fid: row.fid,
        source: row.source,
        attempts: row.attempts,
        first_refused_at: row.firstRefusedAt.toISOString(),
        last_refused_at: row.lastRefusedAt.toISOString(),
        sqlstate: row.sqlstate,
        reason: row.failure,
      })),
      next: { cursor: found.length > limit ? String(page.at(-1)?.id) : null },
    };
  },
});
