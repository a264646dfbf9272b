import Type from 'typebox';
import { bareHex } from '../../../hex.js';
import { ETH_ADDRESS_BYTES } from '../../../protocol/limit.js';
import { EXAMPLE_VERIFIED_ADDRESS } from '../../../schema/example.js';
import { HubChannelsResponse } from '../../../schema/hub/channel.js';
import { selectChannelsByAddress } from '../../../store/hub/channel.js';
import { operation } from '../../http/operation.js';
import { bytesPlace, listPageQuery, readListPage } from '../list-page.js';
import { bytesOf } from '../parameter.js';
import { channelJson } from './channel-json.js';

export const hubFetchChannelsByAddress = operation({
  id: 'hub-fetch-channels-by-address',
  path: '/v1/channelsByAddress',
  tags: ['Hub Channels'],
  title: 'List channels of an address',
  summary: "Own extension: list the protocol's channels whose tokens an address holds, by key.",
  cost: { fixed: 200 },
  query: Type.Object({ address: Type.String(), ...listPageQuery }),
  parameters: {
    address: { description: 'Ethereum address, 0x and 40 hex digits.', example: EXAMPLE_VERIFIED_ADDRESS },
  },
  response: HubChannelsResponse,
  handle: async ({ query }, { db }) => {
    const address = bytesOf(query.address, 'address', ETH_ADDRESS_BYTES);
    const { rows, next } = await readListPage(
      ['channelsByAddress', bareHex(address)],
      query,
      bytesPlace,
      (page) => selectChannelsByAddress(db, address, page),
      ({ id }) => id,
    );
    return { channels: rows.map(channelJson), ...next };
  },
});
