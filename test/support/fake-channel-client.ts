import type { ServerResponse } from 'node:http';
import { type Received, startReceiver } from './receiver.js';

/** A channel as the interface of the client lists it. */
export interface ListedChannel {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly createdAt: number;
  readonly [more: string]: unknown;
}

/** How the fake client answers in place of what is asked. */
export interface FakeAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with channels, on loopback. */
export interface FakeChannelClient {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** `/v2/all-channels`; entries need not be valid. */
  channels: readonly unknown[];
  /** Items of the paged lists: `/fc/channel-members garden` -> the members of the channel `garden`. */
  readonly lists: Map<string, readonly object[]>;
  /** Refuses pages that are longer. */
  maxPage: number;
  /** Replaces the answer to a request. */
  answer: (request: Received) => FakeAnswer | undefined;
  stop(): Promise<void>;
}

/** The member of `result` by path. */
const MEMBERS: Readonly<Record<string, string>> = {
  '/v1/channel-followers': 'users',
  '/fc/channel-members': 'members',
  '/fc/channel-invites': 'invites',
  '/fc/channel-restricted-users': 'restrictedUsers',
  '/fc/channel-bans': 'bannedUsers',
};

/** @returns a channel with what the client always names, made in 2024 */
export const listedChannel = (id: string, more: object = {}): ListedChannel => ({
  id,
  url: `https://farcaster.xyz/~/channel/${id}`,
  name: id,
  description: `About ${id}`,
  leadFid: 2,
  moderatorFids: [2],
  createdAt: 1_709_753_166,
  followerCount: 10,
  memberCount: 3,
  publicCasting: true,
  ...more,
});

/** Starts a real server with the interface of the Farcaster client (its API documentation). */
export const startFakeChannelClient = async (): Promise<FakeChannelClient> => {
  const page = (url: URL, response: ServerResponse): void => {
    const limit = Number(url.searchParams.get('limit') ?? 100);
    if (limit > client.maxPage) {
      response.writeHead(400).end('{"errors": [{"message": "limit is too large"}]}');
      return;
    }
    const items = client.lists.get(`${url.pathname} ${url.searchParams.get('channelId')}`) ?? [];
    const start = Number(url.searchParams.get('cursor') ?? 0);
    const next = start + limit < items.length ? { next: { cursor: String(start + limit) } } : {};
    response.end(
      JSON.stringify({ result: { [MEMBERS[url.pathname] as string]: items.slice(start, start + limit) }, ...next }),
    );
  };
  const receiver = await startReceiver((request, response) => {
    response.setHeader('content-type', 'application/json');
    const url = new URL(request.path, 'http://client');
    const other = client.answer(request);
    if (other !== undefined) response.writeHead(other.status, other.headers).end(other.body ?? '{}');
    else if (url.pathname === '/v2/all-channels')
      response.end(JSON.stringify({ result: { channels: client.channels } }));
    else if (request.method !== 'GET') response.end('{"result": {"success": true}}');
    else if (url.pathname in MEMBERS) page(url, response);
    else response.writeHead(404).end('{"errors": [{"message": "Not found"}]}');
  });
  const client: FakeChannelClient = {
    url: receiver.url,
    port: receiver.port,
    received: receiver.received,
    channels: [],
    lists: new Map(),
    maxPage: 1000,
    answer: () => undefined,
    stop: () => receiver.stop(),
  };
  return client;
};
