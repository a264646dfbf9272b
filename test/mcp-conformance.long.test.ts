import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork } from './support/network.js';

/**
 * The official conformance scenarios of servers. Those that are left out call tools, prompts and resources with names and
 * results that only a test server of theirs has (`test_simple_text`), subscriptions, or sessions. The tool needs Node.js 22,
 * which npm fetches.
 */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'logging-set-level',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
const PACKAGES = ['-y', '-p', 'node@22', '-p', '@modelcontextprotocol/conformance@0.1.16'];

let network: Network;
let proxy: Server;
let folder: string;
beforeAll(async () => {
  network = await startNetwork();
  folder = await mkdtemp(join(tmpdir(), 'castellan-conformance-'));
  // The tool cannot send a key, so this adds it, and nothing else.
  proxy = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const { hostname: host, port } = new URL(network.url);
    const sent = request({ host, port, method, path, headers: { ...headers, 'x-api-key': network.apiKey } }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    asked.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  proxy?.close();
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

test.each(SCENARIOS)('%s', { timeout: 180_000 }, async (scenario) => {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  // Of this checkout's npm, which refuses packages for a newer Node.js.
  const env = { ...process.env, npm_config_engine_strict: 'false' };
  const run = ['conformance', 'server', '--url', url, '--scenario', scenario];
  const { stdout } = await promisify(execFile)('npx', [...PACKAGES, ...run], { cwd: folder, env });
  expect(stdout).toMatch(/, 0 failed/);
});
