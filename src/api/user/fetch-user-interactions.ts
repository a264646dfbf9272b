import Type from 'typebox';
import { invalidField } from '../../error.js';
import { readInteractions, referencedEntities } from '../../hydrate/notification.js';
import { hydrateCasts } from '../../hydrate/page.js';
import { fromUnixMs, toUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { NotificationFilterType, UserInteractionsResponse } from '../../schema/social/notification.js';
import { selectNextNotification } from '../../store/notification/next.js';
import { NOTIFICATION_FILTERS, NotificationKind } from '../../store/notification/source.js';
import { viewInteractions } from '../../view/notification.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { firstPageTimeOf } from '../page/page-snapshot-time.js';

const ID = 'fetch-user-interactions';

/** @throws AppError 'invalid' with property `fids` unless there are two different ones */
const pairOf = (fids: readonly number[]): readonly [number, number] => {
  const [one, other, ...more] = fids;
  if (one === undefined || other === undefined || more.length > 0 || one === other)
    throw invalidField('fids', 'fids must be two different FIDs, separated by a comma');
  return [one, other];
};

export const fetchUserInteractions = operation({
  id: ID,
  path: '/v2/social/user/interactions/',
  tags: ['Agents'],
  title: 'List interactions of two users',
  summary:
    'List what two users did about each other, newest first: follows, likes, recasts, mentions, replies, quotes.',
  // Up to 100 records.
  cost: { fixed: 400 },
  query: Type.Object({
    fids: commaSeparated(Fid),
    type: Type.Optional(commaSeparated(NotificationFilterType, { repeatable: true })),
  }),
  parameters: {
    fids: { description: 'Two different accounts, separated by a comma.', example: '1,2' },
    type: {
      description: 'Keeps interactions of these kinds, separated by commas; all kinds when absent.',
      example: 'likes,replies',
    },
  },
  response: UserInteractionsResponse,
  read: async ({ query, caller: { appId } }, read, { writer }) => {
    const fids = pairOf(query.fids);
    const kinds = [...new Set((query.type ?? NOTIFICATION_FILTERS).map((kind) => NotificationKind[kind]))].sort();
    const list = await read.list([ID, fids, kinds, appId], async (inner) => {
      const horizon = fromUnixMs(firstPageTimeOf({ writer }, inner.now));
      const [found, ...next] = await Promise.all([
        readInteractions(inner, { fids, appId, kinds, horizon }),
        ...fids.map((fid) => selectNextNotification(inner, fid, horizon)),
      ]);
      for (const ts of next) inner.endsAt(ts === null ? null : toUnixMs(ts));
      return found;
    });
    const { hashes, fids: accounts, appFids } = referencedEntities(list);
    const audience = { appId, viewer: null };
    return viewInteractions(list, await hydrateCasts(read, hashes, { audience, accounts, dehydrated: appFids }));
  },
});
