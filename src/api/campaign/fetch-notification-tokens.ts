import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { FrameNotificationTokens } from '../../schema/miniapp/campaign.js';
import { type ClientTokenRow, selectClientTokens } from '../../store/miniapp/client-token.js';
import { commaSeparated } from '../http/comma-separated.js';
import { listOperation } from '../page/list-operation.js';

const viewToken = ({ fid, url, token, status, createdAt, updatedAt }: ClientTokenRow) => ({
  object: 'notification_token' as const,
  fid,
  url,
  token,
  status,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});

export const fetchNotificationTokens = listOperation({
  id: 'fetch-notification-tokens',
  path: '/v2/social/frame/notification_tokens/',
  tags: ['Frame'],
  title: 'List notification tokens',
  summary: "List the notification tokens of the calling app's mini app, oldest first.",
  cost: { each: 1, of: 'limit' },
  // With a token, anybody can notify its user.
  scope: 'write',
  query: {
    fids: Type.Optional(
      commaSeparated(Fid, { maxItems: 100, description: 'At most 100; all users of the mini app when absent.' }),
    ),
  },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
  parameters: { fids: { example: '1,2' } },
  response: FrameNotificationTokens,
  errors: [400],
  isUntagged: true,
  sortKey: Type.Object({ at: Type.Integer(), fid: Type.Integer(), clientFid: Type.Integer() }),
  filters: ({ query, caller: { appId } }) => ({ appId, fids: query.fids }),
  select: (read, filters, { after, limit }) => selectClientTokens(read, filters, after, limit),
  keyOf: ({ createdAt, fid, clientFid }) => ({ at: createdAt.getTime(), fid, clientFid }),
  view: (rows, cursor) => ({ notification_tokens: rows.map(viewToken), next: { cursor } }),
});
