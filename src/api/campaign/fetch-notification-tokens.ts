import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { FrameNotificationTokens } from '../../schema/miniapp/campaign.js';
import { type ClientTokenRow, selectClientTokens } from '../../store/miniapp/client-token.js';
import { commaSeparated } from '../http/comma-separated.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';

const ID = 'fetch-notification-tokens';
const sortKey = Type.Object({ at: Type.Integer(), fid: Type.Integer(), clientFid: Type.Integer() });
const list = { operationId: ID, sortKey };

const viewToken = ({ fid, url, token, status, createdAt, updatedAt }: ClientTokenRow) => ({
  object: 'notification_token' as const,
  fid,
  url,
  token,
  status,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});

export const fetchNotificationTokens = operation({
  id: ID,
  path: '/v2/social/frame/notification_tokens/',
  tags: ['Frame'],
  summary: "List the notification tokens of the calling app's mini app, oldest first.",
  // With a token, anybody can notify its user.
  scope: 'write',
  query: Type.Object({
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    fids: Type.Optional(
      commaSeparated(Fid, { maxItems: 100, description: 'At most 100; all users of the mini app when absent.' }),
    ),
    cursor: Type.Optional(Type.String()),
  }),
  response: FrameNotificationTokens,
  errors: [400],
  handle: async ({ query, caller: { appId } }, { db, clock, cursorKey }) => {
    const filters = { appId, fids: query.fids };
    const { after, limit, cut } = openPage(cursorKey, list, filters, query, clock());
    const found = await selectClientTokens(db, filters, after, limit);
    const keyOf = ({ createdAt, fid, clientFid }: ClientTokenRow) => ({ at: createdAt.getTime(), fid, clientFid });
    const { rows, cursor } = cut(found, keyOf);
    return { notification_tokens: rows.map(viewToken), next: { cursor } };
  },
});
