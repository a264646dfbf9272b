import Type from 'typebox';
import { HubInfoResponse } from '../../../schema/hub/info.js';
import { selectStoreCounts } from '../../../store/hub/info.js';
import { operation } from '../../http/operation.js';
import type { Services } from '../../http/service.js';

const selectStats = async ({ db }: Pick<Services, 'db'>) => {
  const { messages, fidEvents, fnameEvents } = await selectStoreCounts(db);
  return { numMessages: messages, numFidEvents: fidEvents, numFnameEvents: fnameEvents };
};

export const hubLookupInfo = operation({
  id: 'hub-lookup-info',
  path: '/v1/info',
  tags: ['Hub Info'],
  title: 'Get hub information',
  summary: 'Read hub information.',
  cost: { fixed: 1 },
  query: Type.Object({ dbstats: Type.Boolean({ description: 'True adds dbStats to the answer.' }) }),
  response: HubInfoResponse,
  handle: async ({ query }, services) => {
    const { hub } = services;
    return {
      version: hub.version,
      isSyncing: await hub.isSyncing(),
      nickname: hub.nickname,
      // This service has no Merkle trie of messages and no peer-to-peer identity.
      rootHash: '',
      peerId: '',
      hubOperatorFid: hub.operatorFid,
      ...(query.dbstats ? { dbStats: await selectStats(services) } : {}),
    };
  },
});
