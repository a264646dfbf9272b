import type { ServerResponse } from 'node:http';
import type { PrivateKeyAccount } from 'viem/accounts';
import { associate } from './mini-app.js';
import { type Received, type Receiver, startReceiver } from './receiver.js';

/** What a host of the zoo answers; `origin` is its own address. */
export type Answer = (request: Received, response: ServerResponse, origin: string) => void | Promise<void>;

/** Servers of mini apps on loopback, told apart by their host names. */
export interface Zoo {
  readonly port: number;
  readonly receiver: Receiver;
  /** @returns `name.localhost:port` */
  domain(name: string): string;
  /** Requests of a host, by their paths. */
  asked(name: string): string[];
  /** Sets what a host answers. */
  house(name: string, answer: Answer): void;
  stop(): Promise<void>;
}

/** An image of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const startZoo = async (): Promise<Zoo> => {
  const houses = new Map<string, Answer>();
  const nameOf = ({ headers }: Received): string => (headers.host ?? '').split('.localhost', 1)[0] as string;
  const receiver = await startReceiver(async (request, response) => {
    const answer = houses.get(nameOf(request));
    if (answer === undefined) response.writeHead(404).end();
    else await answer(request, response, `http://${request.headers.host}`);
  });
  return {
    port: receiver.port,
    receiver,
    domain: (name) => `${name}.localhost:${receiver.port}`,
    asked: (name) => receiver.received.filter((one) => nameOf(one) === name).map(({ path }) => path),
    house: (name, answer) => void houses.set(name, answer),
    stop: receiver.stop,
  };
};

export const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

/** A manifest's mini app that can be listed. */
export const miniApp = (origin: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  version: '1',
  name: 'Chess',
  homeUrl: `${origin}/`,
  iconUrl: `${origin}/icon.png`,
  description: 'Play a game of chess.',
  ...more,
});

/** What a sound mini app answers, except for the manifest. */
export const sound = (
  request: Received,
  response: ServerResponse,
  origin: string,
  head = `<meta name="fc:miniapp" content='{"version":"1","imageUrl":"${origin}/card.png","button":{"title":"Play"}}'>`,
): void => {
  if (request.path === '/icon.png') response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
  else if (request.path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(`<head>${head}</head>`);
  else response.writeHead(404).end();
};

/** @returns what a host with a signed manifest answers. @param make the mini app of its manifest */
export const signedHouse =
  (
    owner: { readonly account: PrivateKeyAccount; readonly fid: number },
    make: (origin: string) => Record<string, unknown> = (origin) => miniApp(origin),
    head?: (origin: string) => string,
  ): Answer =>
  async (request, response, origin) => {
    if (request.path !== '/.well-known/farcaster.json') {
      sound(request, response, origin, head?.(origin));
      return;
    }
    const host = new URL(origin).hostname;
    json(response, { accountAssociation: await associate(owner.account, owner.fid, host), miniapp: make(origin) });
  };
