import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { openFileWriter } from '../src/ingest/file/write.js';
import type { IngestItem } from '../src/ingest/item.js';
import { author } from '../src/sample/author.js';
import { derive } from '../src/sample/random.js';
import { buildProgram, castellan, type Service, TestWorkspace } from './support/castellan.js';
import { readSnippets, runSnippets, type Snippet } from './support/doc-snippet.js';
import { FakeHub } from './support/fake-hub.js';
import { type HostedInterface, startHostedInterface } from './support/fake-vendor-api.js';
import { fillFromMainnet, fillReplicator, fillShuttle, MAINNET_FILE, OldDatabase } from './support/old-database.js';
import { type OldNetwork, oldNetwork } from './support/old-network.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const PAGE = 'docs/migrating.md';
const SEED = 'migrating';
const APP_FID = 900;

const snippets = readSnippets(PAGE);
/** Heading of the second part. */
const border = snippets.findIndex(({ heading }) => heading === 'What the databases hold');
const parts = { interface: snippets.slice(0, border), database: snippets.slice(border) };

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

/** Output of each snippet by heading; several below one heading in order. */
const byHeading = (run: readonly Snippet[], printed: readonly string[]): Record<string, string[]> => {
  const found: Record<string, string[]> = {};
  for (const [index, { heading }] of run.entries()) {
    found[heading] ??= [];
    found[heading].push(printed[index] as string);
  }
  return found;
};

describe('from the hosted interface', () => {
  let service: Service;
  let hosted: HostedInterface;
  let printed: Record<string, string[]>;

  beforeAll(async () => {
    service = await work.startDev({ ...(await work.newStore()), CASTELLAN_WIRE_NAMES: 'ecosystem' });
    const sample = await work.writeSample('small.ndjson', { accounts: 12, casts: 60, reactions: 60, follows: 60 });
    const app = join(work.folder, 'app.ndjson');
    const writer = openFileWriter(app, 'json');
    await writer.write(author({ seed: SEED, fid: APP_FID }).register() as Parameters<typeof writer.write>[0]);
    await writer.close();
    await castellan(['import', sample.file, app], service.environment);
    hosted = await startHostedInterface({ upstream: service.get, bannedFids: [11, 12] });
    const said = await runSnippets(parts.interface, {
      folder: join(work.folder, 'checkout-interface'),
      environment: {
        ...service.environment,
        HOSTED_API_KEY: hosted.key,
        APP_FID: String(APP_FID),
        APP_PRIVATE_KEY: bytesToHex(derive(SEED, 'wallet', APP_FID, 0)),
      },
      substitutes: { 'https://api.neynar.com': hosted.url, YOUR_APP_ID: DEFAULT_APP_ID, 12345: String(APP_FID) },
    });
    printed = byHeading(parts.interface, said);
    for (const [index, { place, answer }] of parts.interface.entries())
      if (answer !== undefined) expect(JSON.parse(said[index] as string), place).toMatchObject(answer as object);
  });
  afterAll(() => hosted?.stop());

  const read = async <Body>(path: string): Promise<Body> => (await (await service.get(path)).json()) as Body;

  it('tells what is answered', () => {
    expect(printed['What works']?.[0]?.split('\n')).toEqual([
      'answered GET /v2/farcaster/user/bulk/',
      'answered POST /v2/farcaster/cast/',
      'missing  GET /v2/farcaster/no/such/',
    ]);
  });

  it('makes a key, and programs read with another address alone', async () => {
    expect(JSON.parse(printed.Keys?.[0] as string).user.username).toBe('harbor');
    const [client = '', plain = ''] = printed.Programs ?? [];
    expect(JSON.parse(client)).toEqual({
      username: 'harbor',
      score: expect.any(Number),
      network: 'FARCASTER_NETWORK_DEVNET',
    });
    const { users } = await read<{ users: { username: string }[] }>('/v2/farcaster/user/bulk/?fids=1,2,3');
    expect(plain).toBe(users.map(({ username }) => username).join(' '));
  });

  it('shows what the two answer otherwise, and nothing that is known to differ', async () => {
    const path = '/v2/farcaster/user/bulk/?fids=1,2,3';
    const { users } = await read<{ users: [{ follower_count: number }] }>(path);
    const ours = users[0].follower_count;
    expect(printed['Compare the responses']).toEqual([`${path} body.users.0.follower_count ${ours + 1} ${ours}`]);
    expect(hosted.asked).toContain(path);
  });

  it('carries over all pages of bans', async () => {
    const { bans } = await read<{ bans: { banned: { fid: number } }[] }>('/v2/farcaster/ban/list/');
    expect(bans.map(({ banned }) => banned.fid).sort()).toEqual([11, 12]);
  });

  it('has users approve signers anew', async () => {
    const [, asked = '', written = ''] = printed.Signers ?? [];
    expect((await castellan(['app', 'list'], service.environment)).out).toMatch(/default +default +900 /);
    const { signer_uuid, status, signer_approval_url } = JSON.parse(asked);
    expect(status).toBe('pending_approval');
    expect((await fetch(signer_approval_url)).status).toBe(200);
    const signer = await read(`/v2/farcaster/signer/?signer_uuid=${signer_uuid}`);
    expect(signer).toMatchObject({ signer_uuid, status: 'pending_approval' });
    const { hash } = JSON.parse(written).cast;
    expect((await service.get(`/v2/farcaster/cast/?identifier=${hash}&type=hash`)).status).toBe(200);
  });

  it('answers every operation that stands for a query', async () => {
    const page = readFileSync(fileURLToPath(new URL(`../${PAGE}`, import.meta.url)), 'utf8');
    const paths = [...page.slice(page.indexOf('## Queries')).matchAll(/`GET (\/\S+)`/g)].map(
      ([, path]) => path as string,
    );
    expect(paths.length).toBeGreaterThan(15);
    const { user } = await read<{ user: { custody_address: string } }>(
      '/v2/farcaster/user/by_username/?username=harbor',
    );
    const { casts } = await read<{ casts: [{ hash: string }] }>('/v2/farcaster/feed/user/casts/?fid=1&limit=1');
    for (const path of paths) {
      const url = path.replace('ADDRESS', user.custody_address).replace('HASH', casts[0].hash);
      const answer = await service.get(url);
      expect(`${answer.status} ${url} ${answer.status === 200 ? '' : await answer.text()}`).toBe(`200 ${url} `);
    }
  });
});

const serverUrl = process.env.TEST_DATABASE_URL;
/** Needs a PostgreSQL server as the old database. */
describe.skipIf(serverUrl === undefined)('from a database filled from a hub', () => {
  let old: OldDatabase;
  beforeAll(async () => {
    old = await OldDatabase.create(serverUrl as string);
  });
  afterAll(() => old.drop());

  /** Runs the page on a fresh store, with a hub that says so much. @returns what the snippets printed, and the store. */
  const move = async (name: string, items: readonly IngestItem[], settings: Record<string, string> = {}) => {
    const environment = { ...(await work.newStore()), ...settings };
    const folder = environment.CASTELLAN_DATA_DIR as string;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'api-key'), 'no service runs here');
    expect((await castellan(['migrate'], environment)).code).toBe(0);
    const hub = new FakeHub();
    await hub.start();
    hub.say(...items);
    try {
      const [tables = '', exported = '', ...rest] = await runSnippets(parts.database, {
        folder: join(work.folder, `checkout-${name}`),
        environment: { ...environment, PORT: '0', INDEXER_DATABASE_URL: old.urlOf(name) },
        substitutes: { 'grpcs://hub.example:2283': `grpc://${hub.address.address}` },
      });
      const [first = '', withHub = '', trusting = '', checked = ''] = rest;
      const url = environment.DATABASE_URL as string;
      return { tables, exported: JSON.parse(exported), first, withHub, trusting, checked, url };
    } finally {
      hub.stop();
    }
  };

  /** Checks that a store has the current messages and nothing else. */
  const expectMoved = async (url: string, { inForce, name }: OldNetwork): Promise<void> => {
    const stored = await old.ask(url, 'select encode(hash, $1) as hash from message', ['hex']);
    expect(stored.map(({ hash }) => hash).sort()).toEqual(
      inForce.map(({ hash }) => Buffer.from(hash).toString('hex')).sort(),
    );
    const { fid, timestamp } = name.proof;
    const names = await old.ask(url, 'select name, fid::int, timestamp::float8 as timestamp from username_proof');
    expect(names).toEqual([{ name: 'alice', fid, timestamp }]);
    expect(await old.ask(url, 'select username from account where fid = $1', [fid])).toEqual([{ username: 'alice' }]);
  };

  it('takes messages, onchain events and names of a replicator, and what is in force alone', async () => {
    const network = await oldNetwork(SEED);
    await fillReplicator(old, 'replicator', network);
    const moved = await move('replicator', []);
    expect(moved.tables.split('\n')).toEqual(
      ['chain_events|raw', 'messages|raw', 'messages|signature', 'username_proofs|signature'].sort(),
    );
    expect(moved.exported).toEqual({ events: network.chain.length, names: 1, messages: network.inForce.length });
    expect(moved.first).toMatch(/invalid +0/);
    expect(moved.checked).toMatch(/the same\nNo difference/);
    await expectMoved(moved.url, network);
  });

  it('takes messages of a shuttle, and keys and names from a hub', async () => {
    const network = await oldNetwork(SEED);
    await fillShuttle(old, 'shuttle', network);
    const moved = await move('shuttle', [...network.chain, network.name]);
    expect(moved.tables).toBe('messages|raw');
    expect(moved.exported).toEqual({ events: 0, names: 0, messages: network.inForce.length });
    expect(moved.first).toMatch(new RegExp(`unknown_signer +${network.inForce.length}\\b`));
    expect(moved.withHub).toMatch(new RegExp(`merged +${network.inForce.length}\\b`));
    expect(moved.checked).toMatch(/the same\nNo difference/);
    await expectMoved(moved.url, network);
  });

  it.skipIf(!existsSync(MAINNET_FILE))(
    'takes messages of the public network without a hub that knows them',
    async () => {
      const { messages } = await fillFromMainnet(old, 'mainnet');
      const moved = await move('mainnet', [], { CASTELLAN_HUB_NETWORK: 'mainnet' });
      expect(moved.exported).toEqual({ events: 0, names: 0, messages });
      expect(moved.first).toMatch(new RegExp(`unknown_signer +${messages}\\b`));
      expect(moved.trusting).toMatch(new RegExp(`merged +${messages}\\b`));
      expect(moved.trusting).toMatch(/invalid +0/);
      expect(moved.checked).toMatch(/the same\nNo difference/);
    },
  );
});
