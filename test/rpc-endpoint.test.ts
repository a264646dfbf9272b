import type { ServerResponse } from 'node:http';
import { type BaseError, encodeErrorResult, parseAbi, RpcRequestError } from 'viem';
import * as viemChains from 'viem/chains';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppError } from '../src/error.js';
import { MULTICALL3, NETWORKS, type Network, PUBLIC_CHAINS } from '../src/onchain/network.js';
import type { NetworkSet, NetworksOptions } from '../src/onchain/rpc/networks.js';
import { CALL_TIMEOUTS, type CallTimeouts } from '../src/onchain/rpc/transport.js';
import {
  closeEndpoints,
  errorOf,
  node,
  openNetworks,
  type RpcRequest,
  SLOW_TIMEOUTS,
  send,
  startEndpoint,
} from './support/rpc-endpoint.js';

/** For calls that fail. */
const SHORT: CallTimeouts = { total: 590, each: 300, afterFailure: 300 };

const BASE = 8453;
const open = (urls: readonly string[], options: Partial<NetworksOptions> = {}): NetworkSet =>
  openNetworks({ base: urls }, options);

afterEach(closeEndpoints);

describe('the table of networks', () => {
  it("agrees with viem's chains", () => {
    const theirs: Record<Network, viemChains.Chain> = {
      ethereum: viemChains.mainnet,
      optimism: viemChains.optimism,
      base: viemChains.base,
      arbitrum: viemChains.arbitrum,
      robinhood: viemChains.robinhood,
      'base-sepolia': viemChains.baseSepolia,
    };
    for (const network of NETWORKS) {
      const { id, nativeCurrency, contracts } = PUBLIC_CHAINS[network];
      expect([network, id]).toEqual([network, theirs[network].id]);
      expect([nativeCurrency.symbol, nativeCurrency.decimals]).toEqual([
        theirs[network].nativeCurrency.symbol,
        theirs[network].nativeCurrency.decimals,
      ]);
      const { multicall3 } = theirs[network].contracts as unknown as { multicall3: { address: string } };
      expect(multicall3.address.toLowerCase()).toBe(MULTICALL3.toLowerCase());
      expect(contracts?.multicall3).toMatchObject({ address: MULTICALL3 });
    }
  });

  it('leaves time for a second call in a request', () => {
    expect(CALL_TIMEOUTS.total + CALL_TIMEOUTS.afterFailure).toBeLessThan(10_000);
  });
});

describe('a network', () => {
  it('that is not configured is rejected with the variable to set and the property', () => {
    const networks = open(['http://127.0.0.1:1/']);
    expect(networks.configured).toEqual(['base']);
    expect(networks.chainId('base')).toBe(BASE);
    for (const [property, named] of [
      [undefined, 'network'],
      ['networks', 'networks'],
    ] as const) {
      try {
        networks.client('base-sepolia', property);
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ kind: 'invalid', code: 'InvalidField', property: named });
        expect((error as AppError).message).toContain('CASTELLAN_RPC_BASE_SEPOLIA');
      }
    }
  });

  it('uses its endpoints in order and checks each chain id once', async () => {
    const [first, second] = [await startEndpoint(node(BASE, 1)), await startEndpoint(node(BASE, 2))];
    const client = open([first.url, second.url]).client('base');
    const blocks = await Promise.all(Array.from({ length: 5 }, () => client.getBlockNumber()));
    expect(blocks).toEqual([1n, 1n, 1n, 1n, 1n]);
    expect(first.asked.filter((method) => method === 'eth_chainId')).toHaveLength(1);
    expect(second.asked).toEqual([]);
  });

  it('uses the next endpoint after a rate limit, and the first one again after Retry-After', async () => {
    let limited = true;
    const first = await startEndpoint((request, response, message) => {
      if (limited && request.method !== 'eth_chainId') return send(response, {}, 429, { 'retry-after': '1' });
      node(BASE, 1)(request, response, message);
    });
    const second = await startEndpoint(node(BASE, 2));
    const client = open([first.url, second.url]).client('base');
    expect(await client.getBlockNumber()).toBe(2n);
    const before = first.asked.length;
    expect(await client.getBlockNumber()).toBe(2n);
    expect(first.asked).toHaveLength(before);
    limited = false;
    await expect.poll(() => client.getBlockNumber(), { timeout: 5000, interval: 100 }).toBe(1n);
  });

  it.each([
    ['as an error of its own', -32_005, 'daily request count exceeded'],
    ['as a server error', -32_000, 'You have exceeded the rate limit'],
    ['when it lags behind', -32_000, 'header not found'],
    ['when it fails inside', -32_603, 'Internal error'],
    ['when it does not know the method', -32_601, 'the method does not exist'],
  ])('uses the next endpoint after an error with status 200: %s', async (_name, code, message) => {
    const first = await startEndpoint((request, response, raw) => {
      if (request.method === 'eth_chainId') return node(BASE)(request, response, raw);
      send(response, { jsonrpc: '2.0', id: request.id, error: { code, message } });
    });
    const second = await startEndpoint(node(BASE, 2));
    expect(await open([first.url, second.url]).client('base').getBlockNumber()).toBe(2n);
  });

  it.each([
    ['status 401', 401, -32_600, 'Must be authenticated!', undefined],
    ['status 402', 402, -32_000, 'payment required', undefined],
    ['status 403', 403, -32_052, 'API key disabled', undefined],
    ['status 503', 503, -32_000, 'no backends available for method', undefined],
    ['status 500 and words of a contract', 500, -32_000, 'execution reverted', undefined],
    ['data that says how often one may ask', 200, -32_005, 'too many', { allowed_rps: 1 }],
    ['data that is null', 200, -32_603, 'Internal error', null],
  ])('uses the next endpoint after a JSON-RPC rejection: %s', async (_name, status, code, message, data) => {
    const first = await startEndpoint((request, response, raw) => {
      if (request.method === 'eth_chainId') return node(BASE)(request, response, raw);
      send(response, { jsonrpc: '2.0', id: request.id, error: { code, message, data } }, status);
    });
    const second = await startEndpoint(node(BASE, 2));
    const client = open([first.url, second.url]).client('base');
    expect(await client.getBlockNumber()).toBe(2n);
    await client.getBlockNumber();
    // One whose key does not count is left alone for a while; one that fails may fail because of the request.
    const isLeft = status === 401 || status === 402 || status === 403 || code === -32_005;
    expect(first.asked.filter((method) => method !== 'eth_chainId')).toHaveLength(isLeft ? 1 : 2);
  });

  it.each([
    ['a revert, whatever the status', 500, 3, 'execution reverted', '0x12345678', '0x12345678'],
    ['what a contract said, in an object', 403, -32_000, 'VM Exception', { data: '0x12345678' }, '0x12345678'],
    ['what a contract said, behind a word', 500, -32_015, 'VM execution error.', 'Reverted 0x1234', '0x1234'],
    ['a search that finds too many events', 200, -32_005, 'query returned more than 10000 results', {}, undefined],
    ['a search of too many blocks', 200, -32_005, 'block range is too wide', null, undefined],
  ])('throws the error of an endpoint that responds with %s', async (_name, status, code, message, data, told) => {
    const first = await startEndpoint((request, response, raw) => {
      if (request.method === 'eth_chainId') return node(BASE)(request, response, raw);
      send(response, { jsonrpc: '2.0', id: request.id, error: { code, message, data } }, status);
    });
    const second = await startEndpoint(node(BASE, 2));
    const error = await open([first.url, second.url])
      .client('base')
      .getBlockNumber()
      .catch((thrown: BaseError) => thrown.walk((one) => one instanceof RpcRequestError));
    expect(error).toMatchObject({ code, details: message });
    expect((error as RpcRequestError).data).toBe(told);
    expect(second.asked).toEqual([]);
  });

  it('waits for Retry-After of the only endpoint, within the timeout', async () => {
    let left = 2;
    const only = await startEndpoint((request, response, raw) => {
      if (request.method !== 'eth_chainId' && left-- > 0) return send(response, {}, 429, { 'retry-after': '1' });
      node(BASE, 5)(request, response, raw);
    });
    const client = open([only.url]).client('base');
    expect(await client.getBlockNumber()).toBe(5n);
    const oversizedEndpoint = await startEndpoint((request, response, raw) =>
      request.method === 'eth_chainId'
        ? node(BASE)(request, response, raw)
        : send(response, {}, 429, { 'retry-after': '3600' }),
    );
    const error = await errorOf(open([oversizedEndpoint.url]).client('base').getBlockNumber());
    expect(error).toMatchObject({ kind: 'internal', code: 'ChainUnavailable' });
    expect(oversizedEndpoint.asked).toHaveLength(2);
  });

  it.each([
    ['never answers', () => undefined],
    [
      'sends its body drop by drop',
      (_request: RpcRequest, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      },
    ],
  ])('uses the next endpoint after one that %s, and puts that one into cooldown', async (_name, behave) => {
    const first = await startEndpoint((request, response, raw) =>
      request.method === 'eth_chainId' ? node(BASE)(request, response, raw) : behave(request, response),
    );
    const second = await startEndpoint(node(BASE, 2));
    const timeouts = { ...SLOW_TIMEOUTS, each: 300 };
    const client = open([first.url, second.url], { timeouts }).client('base');
    expect(await client.getBlockNumber()).toBe(2n);
    const countRequests = (): number => first.asked.filter((method) => method === 'eth_blockNumber').length;
    const before = countRequests();
    // The second endpoint is now the first of two: a busy machine must not let it time out.
    timeouts.each = SLOW_TIMEOUTS.each;
    expect(await client.getBlockNumber()).toBe(2n);
    expect(countRequests()).toBe(before);
  });

  it.each([
    [
      'a page of HTML',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['JSON of another kind', (response: ServerResponse) => send(response, { hello: 'world' })],
    ['JSON that is no object', (response: ServerResponse) => response.writeHead(200).end('null')],
    ['an empty body', (response: ServerResponse) => response.writeHead(200).end()],
    ['status 502', (response: ServerResponse) => response.writeHead(502).end('bad gateway')],
    ['status 401', (response: ServerResponse) => send(response, { error: 'no such key' }, 401)],
    ['a redirect', (response: ServerResponse) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
    ['a closed connection', (response: ServerResponse) => response.destroy()],
  ])('uses the next endpoint after one that responds with %s', async (_name, answer) => {
    const first = await startEndpoint((_request, response) => void answer(response));
    const second = await startEndpoint(node(BASE, 2));
    expect(await open([first.url, second.url]).client('base').getBlockNumber()).toBe(2n);
  });

  it.each([
    ['a number that is no text', 'eth_blockNumber', 7],
    ['a number in a list', 'eth_blockNumber', ['0x7']],
    ['a number of more than 256 bits', 'eth_blockNumber', `0x${'f'.repeat(65)}`],
    ['a text in place of a block', 'eth_getBlockByNumber', 'x'.repeat(1000)],
    ['a list in place of a block', 'eth_getBlockByNumber', [{}]],
    ['a list of too many values', 'eth_getBlockByNumber', Array(10_001).fill(0)],
  ])('uses the next endpoint after one whose result is %s', async (_name, method, result) => {
    const first = await startEndpoint((request, response, raw) =>
      request.method === method ? send(response, { id: request.id, result }) : node(BASE)(request, response, raw),
    );
    const second = await startEndpoint(({ id, method: asked }, response) => {
      const sound = asked === 'eth_getBlockByNumber' ? { number: '0x2' } : '0x2';
      send(response, { id, result: asked === 'eth_chainId' ? `0x${BASE.toString(16)}` : sound });
    });
    const client = open([first.url, second.url]).client('base');
    const number = method === 'eth_blockNumber' ? client.getBlockNumber() : (await client.getBlock()).number;
    expect(await number).toBe(2n);
  });

  it('uses another endpoint after a crash, and the restarted one again', async () => {
    const first = await startEndpoint(node(BASE, 1));
    const second = await startEndpoint(node(BASE, 2));
    const turned: string[] = [];
    const networks = open([first.url, second.url], {
      cooldownMs: 300,
      onStateChange: (label, fault) => turned.push(`${label} ${fault?.outcome ?? 'back'}`),
    });
    const client = networks.client('base');
    expect(await client.getBlockNumber()).toBe(1n);
    await first.stop();
    expect(await client.getBlockNumber()).toBe(2n);
    expect(turned).toEqual(['CASTELLAN_RPC_BASE (1 of 2) unreachable']);
    const again = await startEndpoint(node(BASE, 3), first.port);
    await expect.poll(() => client.getBlockNumber(), { timeout: 15_000, interval: 50 }).toBe(3n);
    // What came back at the address was asked for its chain anew.
    expect(again.asked[0]).toBe('eth_chainId');
    expect(turned).toEqual(['CASTELLAN_RPC_BASE (1 of 2) unreachable', 'CASTELLAN_RPC_BASE (1 of 2) back']);
  });

  it('never uses an endpoint on another chain, and reports it once', async () => {
    const wrongChainEndpoint = await startEndpoint(node(1, 99));
    const honest = await startEndpoint(node(BASE, 2));
    const turned: string[] = [];
    const networks = open([wrongChainEndpoint.url, honest.url], {
      onStateChange: (_label, fault) => turned.push(fault?.message ?? 'back'),
    });
    const reports = await networks.check();
    expect(reports.map(({ label, error: fault }) => [label, fault?.outcome])).toEqual([
      ['CASTELLAN_RPC_BASE (1 of 2)', 'wrong_chain'],
      ['CASTELLAN_RPC_BASE (2 of 2)', undefined],
    ]);
    for (let n = 0; n < 3; n += 1) expect(await networks.client('base').getBlockNumber()).toBe(2n);
    expect(wrongChainEndpoint.asked).toEqual(['eth_chainId']);
    expect(turned).toHaveLength(1);
    expect(turned[0]).toContain('chain 1, not on 8453');
    expect((await networks.check())[0]?.error?.outcome).toBe('wrong_chain');
    expect(wrongChainEndpoint.asked).toEqual(['eth_chainId']);
    expect(turned).toHaveLength(1);
  });

  it('fails at once if all endpoints are on other chains', async () => {
    const [one, two] = [await startEndpoint(node(1)), await startEndpoint(node(10))];
    const client = open([one.url, two.url]).client('base');
    for (let n = 0; n < 2; n += 1) {
      expect(await errorOf(client.getBlockNumber())).toMatchObject({ kind: 'internal', code: 'WrongChain' });
    }
    expect([...one.asked, ...two.asked]).toEqual(['eth_chainId', 'eth_chainId']);
  });

  it('does not use an endpoint without a valid chain id', async () => {
    const vague = await startEndpoint(({ id }, response) => send(response, { jsonrpc: '2.0', id, result: 'base' }));
    expect(await errorOf(open([vague.url], { timeouts: SHORT }).client('base').getBlockNumber())).toMatchObject({
      code: 'ChainUnavailable',
    });
    expect(new Set(vague.asked)).toEqual(new Set(['eth_chainId']));
  });

  it('times out, and sooner the next time, until an endpoint responds again', async () => {
    const only = await startEndpoint(() => undefined);
    const client = open([only.url], { timeouts: { total: 600, each: 300, afterFailure: 100 }, checkMs: 1000 }).client(
      'base',
    );
    const timed = async (): Promise<number> => {
      const began = performance.now();
      expect(await errorOf(client.getBlockNumber())).toMatchObject({ kind: 'internal', code: 'ChainUnavailable' });
      return performance.now() - began;
    };
    expect(await timed()).toBeGreaterThan(550);
    const { length } = only.asked;
    await timed();
    // One look, without retries.
    expect(only.asked.length - length).toBeLessThanOrEqual(1);
    only.behave = node(BASE, 4);
    await expect.poll(() => client.getBlockNumber().catch(() => 0n)).toBe(4n);
  });

  it('reports the outcome of every request', async () => {
    const first = await startEndpoint((_request, response) => void response.writeHead(503).end());
    const second = await startEndpoint(node(BASE, 2));
    const done: string[] = [];
    const networks = open([first.url, second.url], {
      onRequest: (network, outcome, seconds) => {
        expect(seconds).toBeGreaterThanOrEqual(0);
        done.push(`${network} ${outcome}`);
      },
    });
    await networks.client('base').getBlockNumber();
    expect(done).toEqual(['base faulty', 'base ok', 'base ok']);
  });

  it('does not fetch URLs that a contract names', async () => {
    const victim = await startEndpoint((_request, response) => send(response, { data: '0x' }));
    // OffchainLookup of ERC-3668 with the address of the victim.
    const sender = MULTICALL3;
    const data = encodeErrorResult({
      abi: parseAbi(['error OffchainLookup(address, string[], bytes, bytes4, bytes)']),
      args: [sender, [`${victim.url}/{sender}/{data}`], '0x', '0x00000000', '0x'],
    });
    const evil = await startEndpoint((request, response, raw) => {
      if (request.method === 'eth_chainId') return node(BASE)(request, response, raw);
      send(response, { jsonrpc: '2.0', id: request.id, error: { code: 3, message: 'execution reverted', data } });
    });
    const call = open([evil.url]).client('base').call({ to: sender, data: '0x12345678' });
    await expect(call).rejects.toThrow();
    expect(victim.asked).toEqual([]);
  });
});
