import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { BlockListResponse } from '../../schema/social/block.js';
import { selectBlocks } from '../../store/query/block.js';
import { viewBlocks } from '../../view/block.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';

const list = {
  operationId: 'fetch-block-list',
  sortKey: Type.Object({ ts: Type.Integer(), hash: Type.String() }),
};

export const fetchBlockList = operation({
  id: list.operationId,
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
    const { blocker_fid: blocker, blocked_fid: blocked } = query;
    if (blocker === undefined && blocked === undefined) {
      throw invalidField('blocker_fid', 'blocker_fid or blocked_fid must say whose blocks are meant');
    }
    const { appId } = caller;
    const { after, limit, cut } = openPage(cursorKey, list, { blocker, blocked, appId }, query, read.now);
    // Newest first, so blocks made while a client reads further pages do not shift those pages.
    const found = await selectBlocks(read, { blocker, blocked }, { appId, after, limit });
    const { rows, cursor } = cut(found, ({ ts, hash }) => ({ ts, hash }));
    const fids = [...new Set(rows.flatMap((row) => [row.fid, row.blocked_fid]))];
    const page = await hydrateUsers(read, fids, { listed: fids });
    return viewBlocks(rows, cursor, page);
  },
});
