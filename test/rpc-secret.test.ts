import { inspect } from 'node:util';
import type { BaseError } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { redactor } from '../src/onchain/rpc/endpoint.js';
import type { NetworkSet, NetworksOptions } from '../src/onchain/rpc/networks.js';
import type { CallTimeouts } from '../src/onchain/rpc/transport.js';
import { closeEndpoints, KEY, node, openNetworks, SLOW_TIMEOUTS, send, startEndpoint } from './support/rpc-endpoint.js';

/** For calls that fail. */
const SHORT: CallTimeouts = { total: 590, each: 300, afterFailure: 300 };

const BASE = 8453;
const open = (urls: readonly string[], options: Partial<NetworksOptions> = {}): NetworkSet =>
  openNetworks({ base: urls }, options);

afterEach(closeEndpoints);

describe('a network', () => {
  it('shows no URL in its errors, whatever the endpoint responds', async () => {
    const shown: string[] = [];
    const echo = await startEndpoint((request, response, message) => {
      if (request.method === 'eth_chainId') return node(BASE)(request, response, message);
      const { url } = message;
      send(response, { jsonrpc: '2.0', id: request.id, error: { code: -32_602, message: `no ${KEY} at ${url}` } });
    });
    const page = await startEndpoint((_request, response, { url }) => void response.writeHead(404).end(`no ${url}`));
    const gone = `http://user:${KEY}@127.0.0.1:1/?key=${KEY}`;
    const show = async (url: string): Promise<void> => {
      // The first refuses at once; the others are tried for as long as there is time.
      const patience = url === echo.url ? SLOW_TIMEOUTS : SHORT;
      const networks = open([url], {
        timeouts: patience,
        onStateChange: (label, fault) => shown.push(label, inspect(fault, { depth: 9 })),
      });
      await networks
        .client('base')
        .getBlockNumber()
        .catch((error: Error) => shown.push(inspect(error, { depth: 9, showHidden: true }), String(error.stack)));
    };
    await Promise.all([echo.url, page.url, gone, `http://${KEY}.invalid/`].map(show));
    expect(shown.length).toBeGreaterThan(8);
    expect(shown.join('\n')).not.toContain(KEY);
    expect(shown.join('\n')).toContain('[secret]');
  });

  it.each([
    ['a value of the query', `/?apikey=${KEY}&chain=base`, KEY],
    ['a value that is written in another way', `/?apikey=${encodeURIComponent(`a/b+${KEY}`)}`, `a/b+${KEY}`],
    ['a part of the path, decoded', `/v2/${encodeURIComponent(`k=${KEY}`)}/rpc`, `k=${KEY}`],
  ])('redacts a key in the message of an endpoint: %s', async (_name, path, said) => {
    const echo = await startEndpoint((request, response, raw) => {
      if (request.method === 'eth_chainId') return node(BASE)(request, response, raw);
      const data = { said, more: [said] };
      send(response, { jsonrpc: '2.0', id: request.id, error: { code: -32_602, message: `the key "${said}"`, data } });
    });
    const client = open([`http://127.0.0.1:${echo.port}${path}`]).client('base');
    const error = await client.getBlockNumber().catch((thrown: unknown) => thrown);
    expect(inspect(error, { depth: 9 })).toContain('the key "[secret]"');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(said);
  });

  it('redacts a password and a host name in the message of an endpoint, but no common words', async () => {
    const host = 'rapid-wandering-frost.localhost';
    const echo = await startEndpoint((request, response, raw) => {
      if (request.method === 'eth_chainId') return node(BASE)(request, response, raw);
      const words = `no p@ss-word at ${host}/rpc, ${raw.headers.authorization}, on base, true`;
      send(response, { jsonrpc: '2.0', id: request.id, error: { code: -32_602, message: words } });
    });
    const url = `http://someone:${encodeURIComponent('p@ss-word')}@127.0.0.1:${echo.port}/rpc?network=base&archive=true`;
    const said = await open([url])
      .client('base')
      .getBlockNumber()
      .catch((thrown: BaseError) => thrown.details);
    expect(said).toBe(`no [secret] at ${host}/rpc, Basic [secret], on base, true`);
    const redacted = redactor(`https://rapid-wandering-frost.example.org/rpc`)(`${host} example rpc`);
    expect(redacted).toBe('[secret].localhost example rpc');
  });

  it('truncates the message of an endpoint and removes control characters', async () => {
    const evil = await startEndpoint((request, response, raw) => {
      if (request.method === 'eth_chainId') return node(BASE)(request, response, raw);
      const words = `\u202e\u0007no\n\n${'x'.repeat(100_000)}`;
      send(response, { jsonrpc: '2.0', id: request.id, error: { code: -32_602, message: words } });
    });
    const said = await open([evil.url])
      .client('base')
      .getBlockNumber()
      .catch((thrown: BaseError) => thrown.details);
    expect(said).toBe(`no ${'x'.repeat(997)}`);
  });
});
