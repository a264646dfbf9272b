import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { BlockListResponse } from '../../schema/social/block.js';
import { selectBlocks } from '../../store/query/block.js';
import { viewBlocks } from '../../view/block.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';

const ID = 'fetch-block-list';

const sortKey = Type.Object({ ts: Type.Integer(), hash: Type.String() });

export const fetchBlockList = operation({
  id: ID,
  path: '/v2/social/block/list/',
  tags: ['Block'],
  summary: 'List the blocks made by a user, made against a user, or both, newest first.',
  headers: experimentalHeader,
  query: Type.Object({
    blocker_fid: Type.Optional(Fid),
    blocked_fid: Type.Optional(Fid),
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: BlockListResponse,
  errors: [400, 404, 500],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { blocker_fid: blocker, blocked_fid: blocked, limit } = query;
    if (blocker === undefined && blocked === undefined) {
      throw invalidField('blocker_fid', 'blocker_fid or blocked_fid must say whose blocks are meant');
    }
    const { appId } = caller;
    const list = { operationId: ID, sortKey };
    const filters = { blocker, blocked, appId };
    const before = decodeCursor(cursorKey, list, filters, query.cursor);
    // Newest first, so blocks made while a client reads further pages do not shift those pages.
    const rows = await selectBlocks(read, { blocker, blocked }, { appId, after: before?.sortKey, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const firstPageTime = before?.firstPageTime ?? read.now;
    const next = last && { firstPageTime, sortKey: { ts: last.ts, hash: last.hash } };
    const fids = [...new Set(shown.flatMap((row) => [row.fid, row.blocked_fid]))];
    const page = await hydrateUsers(read, fids, { listed: fids });
    return viewBlocks(shown, next ? encodeCursor(cursorKey, list, filters, next) : null, page);
  },
});
