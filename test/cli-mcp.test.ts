import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../src/mcp/tool-list.js';
import { keyWith } from './support/app.js';
import { castellan } from './support/castellan.js';
import { callTool } from './support/mcp.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** `castellan mcp`: the tools over standard input and output, for a service elsewhere. */

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
let network: Network;
let seeded: Seeded;
let folder: string;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  folder = await mkdtemp(join(tmpdir(), 'castellan-mcp-'));
});
afterAll(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

const connect = async (env: Record<string, string>, mode: 'legacy' | 'auto', args: string[] = []): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const command = process.execPath;
  await client.connect(new StdioClientTransport({ command, args: [MAIN, 'mcp', ...args], env, cwd: folder }));
  return client;
};

test.each(['legacy', 'auto'] as const)('the official client uses the tools (%s)', async (mode) => {
  const client = await connect({ CASTELLAN_URL: network.url, CASTELLAN_API_KEY: network.apiKey }, mode);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect((await callTool(client, 'read_profile', { username: 'alice' })).data).toMatchObject({ fid: FIDS.alice });
  const { uuid: signer_uuid } = await approvedSigner(network, seeded.bob);
  const published = await callTool(client, 'publish_cast', { signer_uuid, text: `Over a pipe, ${mode}` });
  expect(published.data).toMatchObject({ author_fid: FIDS.bob });
  const raw = { fid: FIDS.bob, kind: 'casts', cast: published.data.hash };
  expect((await callTool(client, 'read_messages', raw)).data).toMatchObject([{ valid: true }]);
  const [content] = (await client.readResource({ uri: `castellan://user/${FIDS.bob}` })).contents;
  expect((content as { text: string }).text).toContain('"username":"bob"');
  await client.close();
});

test('a key that may only read gets the tools that read; the key may come from the data folder', async () => {
  const { 'x-api-key': key = '' } = await keyWith(network, 'read');
  await writeFile(join(folder, 'api-key'), `${key}\n`);
  const client = await connect({ CASTELLAN_DATA_DIR: folder }, 'legacy', [network.url]);
  const { tools: listed } = await client.listTools();
  expect(listed.length).toBeGreaterThan(8);
  expect(listed.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  const refused = await callTool(client, 'follow', { signer_uuid: crypto.randomUUID(), fids: [1] });
  expect(refused).toMatchObject({ failed: true, text: expect.stringContaining('lacks the scope write') });
  await client.close();
});

test('it ends with a sentence where no service or no key is', async () => {
  const run = (args: string[], env: Record<string, string>) => castellan(['mcp', ...args], env, tmpdir());
  const key = { CASTELLAN_API_KEY: network.apiKey };
  for (const [args, env, said] of [
    [[network.url], { CASTELLAN_DATA_DIR: '/nowhere' }, 'Set CASTELLAN_API_KEY'],
    [[network.url], { CASTELLAN_API_KEY: 'wrong' }, 'not known here'],
    [['http://127.0.0.1:1'], key, 'No service answers at http://127.0.0.1:1.'],
    [['file:///etc/passwd'], key, 'is not the address of a service'],
  ] as const) {
    const { code, out, err } = await run([...args], env);
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(said) });
    expect(err).not.toContain(network.apiKey);
  }
});
