import Type from 'typebox';
import { ETH_ADDRESS_BYTES } from '../../../protocol/limit.js';
import { HubChannelsResponse } from '../../../schema/hub/channel.js';
import { type OwnedPlace, selectChannelsByOwner } from '../../../store/hub/channel.js';
import { operation } from '../../http/operation.js';
import { listPageQuery, type PlaceCodec, readListPage } from '../list-page.js';
import { fidQuery } from '../parameter.js';
import { channelJson } from './channel-json.js';

/** A channel may change hands between two pages, so the place has the address that held it. */
const ownedPlace: PlaceCodec<OwnedPlace> = {
  write: ({ address, id }) => Buffer.concat([address, id]),
  read: (position) => ({
    address: position.subarray(0, ETH_ADDRESS_BYTES),
    id: position.subarray(ETH_ADDRESS_BYTES),
  }),
};

export const hubFetchChannelsByFid = operation({
  id: 'hub-fetch-channels-by-fid',
  path: '/v1/channelsByFid',
  tags: ['Hub Channels'],
  title: 'List channels of an account',
  summary:
    "Own extension: list the protocol's channels that an account owns, by the address that holds them, then by key.",
  cost: { fixed: 200 },
  query: Type.Object({ fid: fidQuery, pageSize: listPageQuery.pageSize, pageToken: listPageQuery.pageToken }),
  parameters: { fid: { description: 'The account that verified the addresses last.', example: 1 } },
  response: HubChannelsResponse,
  handle: async ({ query }, { db }) => {
    const { rows, next } = await readListPage(
      ['channelsByFid', query.fid],
      query,
      ownedPlace,
      ({ after, limit }) => selectChannelsByOwner(db, query.fid, after, limit),
      ({ id, ownerAddress }) => ({ id, address: ownerAddress as Uint8Array }),
    );
    return { channels: rows.map(channelJson), ...next };
  },
});
