import { type Call, CallError, type CallRequest, read } from '../call.js';
import { type ChannelJson, type UserJson, viewChannel, viewUser } from '../entity.js';
import { cursor, input, limit, optional, text, viewerFid } from '../input.js';
import { listPages } from '../list.js';
import { listResult, pageOfAll } from '../result.js';
import { readTool } from '../tool.js';

/** An Ethereum address, or a Solana one: base58, longer than any username. */
const ADDRESS = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

export const findUser = readTool({
  name: 'find_user',
  title: 'Find a person',
  description:
    'Find people by the beginning of their username, by likeness of username and display name, by fid, or by an Ethereum or Solana address. The result has fids, which other tools take.',
  input: input({
    query: text(200, 'A name, with or without @, a fid, or an address.'),
    viewer_fid: optional(viewerFid),
    limit: optional(limit(10, 5)),
    cursor: optional(cursor),
  }),
  run: ({ query, viewer_fid, limit: most = 5, cursor: after }, call) => {
    const shown = { limit: most, view: viewUser, what: 'people' };
    if (!ADDRESS.test(query))
      return listPages({
        call,
        path: '/v2/social/user/search/',
        query: { q: query, viewer_fid, cursor: after },
        itemsOf: (body: { readonly result: { readonly users: readonly UserJson[] } }) => body.result.users,
        ...shown,
      });
    const load = async (count: number) => {
      const found = await findByAddress(call, { addresses: query, viewer_fid });
      return pageOfAll(found, after, count);
    };
    return listResult({ load, ...shown });
  },
});

/** @returns the accounts of an address; none for an address of nobody */
const findByAddress = async (call: Call, query: NonNullable<CallRequest['query']>): Promise<UserJson[]> => {
  try {
    return Object.values(
      await read<Record<string, UserJson[]>>(call, '/v2/social/user/bulk-by-address/', query),
    ).flat();
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return [];
    throw error;
  }
};

export const findChannel = readTool({
  name: 'find_channel',
  title: 'Find a channel',
  description: 'Find channels by parts of their ids and names. The result has ids, which other tools take.',
  input: input({
    query: text(200, 'A part of an id or a name.'),
    viewer_fid: optional(viewerFid),
    limit: optional(limit(25, 10)),
    cursor: optional(cursor),
  }),
  run: ({ query, viewer_fid, limit: most = 10, cursor: after }, call) =>
    listPages({
      call,
      path: '/v2/social/channel/search/',
      query: { q: query, viewer_fid, cursor: after },
      itemsOf: (body: { readonly channels: readonly ChannelJson[] }) => body.channels,
      limit: most,
      view: viewChannel,
      what: 'channels',
    }),
});
