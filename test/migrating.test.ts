import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openFileWriter } from '../src/ingest/file-write.js';
import { author } from '../src/sample/author.js';
import { derive } from '../src/sample/random.js';
import { buildProgram, castellan, type Service, Workplace } from './support/castellan.js';
import { readSnippets, runSnippets, type Snippet } from './support/doc-snippet.js';
import { type HostedInterface, startHostedInterface } from './support/hosted-interface.js';
import { fillReplicator, fillShuttle, MAINNET_FILE, OldDatabase } from './support/old-database.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const PAGE = 'docs/migrating.md';
const SEED = 'migrating';
const APP_FID = 900;

const snippets = readSnippets(PAGE);
/** Where the second way begins. */
const border = snippets.findIndex(({ heading }) => heading === 'Write the file');
const parts = { interface: snippets.slice(0, border), database: snippets.slice(border) };

const work = new Workplace();
beforeAll(buildProgram);
afterAll(() => work.clear());

/** What each snippet printed, by its heading; several below one heading in order. */
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
    service = await work.startDev({ ...(await work.freshStore()), WIRE_NAMES: 'ecosystem' });
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
      substitutes: { 'https://api.neynar.com': hosted.url },
    });
    printed = byHeading(parts.interface, said);
    for (const [index, { place, answer }] of parts.interface.entries())
      if (answer !== undefined) expect(JSON.parse(said[index] as string), place).toMatchObject(answer);
  });
  afterAll(() => hosted?.stop());

  it('tells what is answered', () => {
    expect(printed['What is answered']?.[0]?.split('\n')).toEqual([
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
    const { users } = await (await service.get('/v2/farcaster/user/bulk/?fids=1,2,3')).json();
    expect(plain).toBe(users.map(({ username }: { username: string }) => username).join(' '));
  });

  it('shows what the two answer otherwise, and nothing that is known to differ', async () => {
    const path = '/v2/farcaster/user/bulk/?fids=1,2,3';
    const ours = (await (await service.get(path)).json()).users[0].follower_count;
    expect(printed['Compare the answers']).toEqual([`${path} body.users.0.follower_count ${ours + 1} ${ours}`]);
    expect(hosted.asked).toContain(path);
  });

  it('carries over all pages of bans', async () => {
    const { bans } = await (await service.get('/v2/farcaster/ban/list/')).json();
    expect(bans.map(({ banned }: { banned: { fid: number } }) => banned.fid).sort()).toEqual([11, 12]);
  });

  it('has users approve signers anew', async () => {
    const [asked = '', written = ''] = printed.Signers ?? [];
    const { signer_uuid, status, signer_approval_url } = JSON.parse(asked);
    expect(status).toBe('pending_approval');
    expect((await fetch(signer_approval_url)).status).toBe(200);
    const signer = await (await service.get(`/v2/farcaster/signer/?signer_uuid=${signer_uuid}`)).json();
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
    const { user } = await (await service.get('/v2/farcaster/user/by_username/?username=harbor')).json();
    const { casts } = await (await service.get('/v2/farcaster/feed/user/casts/?fid=1&limit=1')).json();
    for (const path of paths) {
      const url = path.replace('ADDRESS', user.custody_address).replace('HASH', casts[0].hash);
      const answer = await service.get(url);
      expect(`${answer.status} ${url} ${answer.status === 200 ? '' : await answer.text()}`).toBe(`200 ${url} `);
    }
  });
});

const serverUrl = process.env.TEST_DATABASE_URL;
/** There is no other PostgreSQL server that the embedded database could be filled from. */
describe.skipIf(serverUrl === undefined)('from a database filled from a hub', () => {
  let old: OldDatabase;
  beforeAll(async () => {
    old = await OldDatabase.create(serverUrl as string);
  });
  afterAll(() => old.drop());

  /** Runs the page on a fresh store. @returns what the snippets printed, and the environment of the store. */
  const move = async (name: string, settings: Record<string, string> = {}) => {
    const environment = { ...(await work.freshStore()), ...settings };
    const folder = environment.CASTELLAN_DATA_DIR as string;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'api-key'), 'no service runs here');
    expect((await castellan(['migrate'], environment)).code).toBe(0);
    const said = await runSnippets(parts.database, {
      folder: join(work.folder, `checkout-${name}`),
      environment: { ...environment, PORT: '0', INDEXER_DATABASE_URL: old.urlOf(name) },
    });
    const [exported = '', ...rest] = said;
    return { exported: JSON.parse(exported), imports: rest.slice(0, -1), checked: rest.at(-1), environment };
  };

  it('takes messages, onchain events and names of a replicator, and what is in force alone', async () => {
    const { inForce, events, proof } = await fillReplicator(old, 'replicator', SEED);
    const { exported, imports, checked, environment } = await move('replicator');
    expect(exported).toEqual({ events, names: 1, messages: inForce.length });
    expect(imports[0]).toMatch(/invalid +0/);
    expect(checked).toMatch(/the same\nNo difference/);
    const url = environment.DATABASE_URL as string;
    const stored = await old.ask(url, 'select encode(hash, $1) as hash from message', ['hex']);
    expect(stored.map(({ hash }) => hash).sort()).toEqual([...inForce].sort());
    const names = await old.ask(url, 'select name, fid::int, timestamp::float8 as timestamp from username_proof');
    expect(names).toEqual([proof]);
    expect(await old.ask(url, 'select username from account where fid = $1', [proof.fid])).toEqual([
      { username: proof.name },
    ]);
  });

  it.skipIf(!existsSync(MAINNET_FILE))(
    'takes messages of a shuttle without events, from the public network',
    async () => {
      const { messages } = await fillShuttle(old, 'shuttle');
      const { exported, imports, checked } = await move('shuttle', { HUB_NETWORK: 'mainnet' });
      expect(exported).toEqual({ events: 0, names: 0, messages });
      expect(imports[0]).toMatch(new RegExp(`unknown_signer +${messages}\\b`));
      expect(imports[1]).toMatch(new RegExp(`merged +${messages}\\b`));
      expect(imports[1]).toMatch(/invalid +0/);
      expect(checked).toMatch(/the same\nNo difference/);
    },
  );
});
