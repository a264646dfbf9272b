import { HubPeersResponse } from '../../../schema/hub/peer.js';
import { operation } from '../../http/operation.js';

export const hubFetchCurrentPeers = operation({
  id: 'hub-fetch-current-peers',
  path: '/v1/currentPeers',
  tags: ['Hub Info'],
  title: 'List peers',
  summary: 'Own extension: list the peers of the hub. This service has none: it follows a hub.',
  cost: { fixed: 1 },
  response: HubPeersResponse,
  handle: () => ({ contacts: [], peers: [] }),
});
