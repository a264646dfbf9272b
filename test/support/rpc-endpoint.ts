import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { Secret } from '../../src/config/secret.js';
import { AppError } from '../../src/error.js';
import type { Network } from '../../src/onchain/network.js';
import { createNetworks, type NetworkSet, type NetworksOptions } from '../../src/onchain/rpc/networks.js';
import type { CallTimeouts } from '../../src/onchain/rpc/transport.js';

export interface RpcRequest {
  readonly id: number;
  readonly method: string;
}

/** A key that must not be shown: it stands in the address of every fake endpoint. */
export const KEY = 'topsecret-key-0123456789';

/** An endpoint that does to each request what the test says. */
class FakeEndpoint {
  readonly asked: string[] = [];
  behave: (request: RpcRequest, response: ServerResponse, message: IncomingMessage) => void = () => undefined;
  readonly #server: Server;
  port = 0;

  constructor() {
    this.#server = createServer((message, response) => {
      void text(message).then((body) => {
        const request = JSON.parse(body) as RpcRequest;
        this.asked.push(request.method);
        this.behave(request, response, message);
      });
    });
  }

  async start(port = 0): Promise<this> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening');
    this.port = (this.#server.address() as { port: number }).port;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v2/${KEY}`;
  }
}

/** Answers with JSON. */
export const send = (
  response: ServerResponse,
  body: object,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** Answers as a node of this chain does, at this block. */
export const node =
  (chainId: number, block = 7): FakeEndpoint['behave'] =>
  ({ id, method }, response) => {
    const result = method === 'eth_chainId' ? `0x${chainId.toString(16)}` : `0x${block.toString(16)}`;
    send(response, { jsonrpc: '2.0', id, result });
  };

/** For endpoints that answer, however slow the machine is. */
export const SLOW_TIMEOUTS: CallTimeouts = { total: 20_000, each: 10_000, afterFailure: 10_000 };

const running: FakeEndpoint[] = [];
const opened: NetworkSet[] = [];

/** Starts an endpoint, until {@link closeEndpoints}. */
export const startEndpoint = async (behave: FakeEndpoint['behave'], port = 0): Promise<FakeEndpoint> => {
  const one = await new FakeEndpoint().start(port);
  one.behave = behave;
  running.push(one);
  return one;
};

/** Opens the networks that have endpoints, until {@link closeEndpoints}. */
export const openNetworks = (
  rpc: Partial<Record<Network, readonly string[]>>,
  options: Partial<NetworksOptions> = {},
) => {
  const secrets = Object.entries(rpc).map(([network, urls]) => [network, urls.map((url) => new Secret(url))]);
  const set = createNetworks({ rpc: Object.fromEntries(secrets), timeouts: SLOW_TIMEOUTS, ...options });
  opened.push(set);
  return set;
};

/** For `afterEach`. */
export const closeEndpoints = async (): Promise<void> => {
  for (const set of opened.splice(0)) set.stop();
  await Promise.all(running.splice(0).map((one) => one.stop()));
};

/** @returns the AppError that the work fails with. */
export const errorOf = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};
