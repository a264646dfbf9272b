import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fake of the hosted interface that a program migrates from. */
export interface HostedInterface {
  /** Without a slash at its end. */
  readonly url: string;
  /** The only accepted key. */
  readonly key: string;
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

export interface HostedInterfaceOptions {
  /** Requests the service that is migrated to; its responses are modified. */
  readonly upstream: (path: string) => Promise<Response>;
  /** The bans of the calling app, one a page. */
  readonly bannedFids: readonly number[];
}

const bansAfter = (fids: readonly number[], cursor: string | null) => {
  const place = Number(cursor ?? 0);
  const bans = fids.slice(place, place + 1).map((fid) => ({
    object: 'ban',
    banned_at: '2026-01-31T12:00:00.000Z',
    banned: { object: 'user', fid },
  }));
  return { bans, next: { cursor: place + 1 < fids.length ? String(place + 1) : null } };
};

/** Adds one follower to the first user, which must be noticed, and changes every score, which must be ignored. */
const changed = (body: { users?: { follower_count: number; experimental: object; score: number }[] }): unknown => {
  const [first, ...others] = body.users ?? [];
  if (first === undefined) return body;
  const users = [{ ...first, follower_count: first.follower_count + 1 }, ...others];
  return { ...body, users: users.map((user) => ({ ...user, score: 2, experimental: { neynar_user_score: 2 } })) };
};

/** Starts it on 127.0.0.1 at a free port. */
export const startHostedInterface = async ({
  upstream,
  bannedFids,
}: HostedInterfaceOptions): Promise<HostedInterface> => {
  const key = 'a key of the hosted interface';
  const asked: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    asked.push(path);
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers['x-api-key'] !== key) return send(401, { message: 'another key is asked for' });
    const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
    if (pathname === '/v2/farcaster/ban/list/') return send(200, bansAfter(bannedFids, searchParams.get('cursor')));
    const origin = await upstream(path);
    send(origin.status, changed((await origin.json()) as Parameters<typeof changed>[0]));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    asked,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
