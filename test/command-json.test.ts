import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCommands } from '../src/cli/command-list.js';
import { generateSampleNetwork } from '../src/sample/network.js';
import { upsertRefusedItem } from '../src/store/protocol/refused-item.js';
import { runCommandIn } from './support/command.js';
import { FakeHub } from './support/fake-hub.js';
import { miniApp, signedHouse, startZoo, type Zoo } from './support/mini-app-zoo.js';
import { type Network, startNetwork } from './support/network.js';
import { registerAccount } from './support/signer.js';

/** Every command with `--json`: what it prints is one JSON value with stable members. */

const OWNER = 8_400;
const DEFAULT_APP = '00000000-0000-4000-8000-000000000002';
const ADDRESS = '0x00000000000000000000000000000000000000fe';
const ID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let network: Network;
let zoo: Zoo;
let hub: FakeHub;
let folder: string;
let signer: string;
let webhook: string;
let cast: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-command-json-'));
  network = await startNetwork({
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    CASTELLAN_DEFAULT_PLAN: 'free',
    CASTELLAN_LEDGER_SETTLEMENT: 'open',
  });
  const sample = generateSampleNetwork({ accounts: 4, casts: 8, reactions: 4, follows: 4 });
  for await (const items of sample.items()) await network.load(items);
  zoo = await startZoo();
  const owner = { account: (await registerAccount(network, OWNER)).account, fid: OWNER };
  zoo.house(
    'chess',
    signedHouse(owner, (origin) => miniApp(origin)),
  );
  zoo.house('hook', (_request, response) => void response.end());
  hub = new FakeHub();
  await hub.start();
  signer = (await network.send('POST', '/v2/social/signer/', undefined)).body.signer_uuid;
  const hook = { name: 'a test', url: `http://${zoo.domain('hook')}/`, subscription: { 'cast.created': {} } };
  webhook = (await network.send('POST', '/v2/social/webhook/', hook)).body.webhook.webhook_id;
  cast = (await network.sql<{ hash: string }>('select encode(hash, \'hex\') as hash from "cast"'))[0]?.hash as string;
  const item = { kind: 'message', body: Buffer.of(1), removalReason: null, fid: 1, source: 'file' } as const;
  const why = { announce: false, trustSigners: false, sqlstate: '22003', failure: 'out of range' };
  await upsertRefusedItem(network.app.core.db, { ...item, ...why });
  await runCommandIn(network, 'org create', ['Other', '--plan', 'growth']);
  await writeFile(join(folder, 'key.txt'), '2b'.repeat(32));
});
afterAll(async () => {
  hub.stop();
  await zoo.stop();
  await network.stop();
  await rm(folder, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: the test reads members of whatever came
const printed: Record<string, any> = {};
const file = (name: string): string => join(folder, name);
const organization = (): string => printed['org create'].id;
const invoice = (plan: string): string => printed['invoice list'].find((one: { plan: string }) => one.plan === plan).id;

/** Arguments of each command, in order, and what it prints: later ones need what earlier ones made. */
const CASES: Readonly<Record<string, readonly [args: () => string[], expected: unknown]>> = {
  migrate: [() => [], { applied: [] }],
  export: [() => [file('all.ndjson')], { file: expect.any(String), messages: expect.any(Number), name_proofs: 4 }],
  import: [
    () => [file('all.ndjson')],
    { channels: null, outcomes: { merged: 0, known: expect.any(Number) }, invalid: {}, refused: 0 },
  ],
  backfill: [() => ['--hub', hub.address.address], { hub: expect.any(String), unread_accounts: 0 }],
  'refused list': [
    () => [],
    [{ id: 1, kind: 'message', fid: 1, attempts: 1, first_refused_at: TIME, sqlstate: '22003' }],
  ],
  'refused retry': [() => ['--all'], { stored: 0, refused: 1 }],
  'account list': [
    () => ['--limit', '1'],
    [{ fid: 1, username: 'harbor', name: expect.any(String), custody_address: expect.stringMatching(/^0x/) }],
  ],
  'account sign-in': [
    () => ['1', '--nonce', '8cBzHVRqVxtx', '--query'],
    { message: expect.stringContaining('8cBzHVRqVxtx'), signature: expect.stringMatching(/^0x/) },
  ],
  'account sign-key': [() => ['1', '--key', signer], { app_fid: 1, signer_uuid: ID, deadline: expect.any(Number) }],
  'account sign-manifest': [
    () => ['1', '--domain', 'localhost:4000'],
    { header: expect.any(String), payload: expect.any(String), signature: expect.any(String) },
  ],
  'account verify-address': [() => ['1', '--signer', signer], { signer_uuid: ID, address: expect.any(String) }],
  'signer approve': [() => [signer, '--fid', '1'], { signer: ID, fid: 1 }],
  'signer permit': [
    () => [signer, '--permission', 'PUBLISH_CAST,DELETE_CAST'],
    { signer_uuid: ID, permissions: ['PUBLISH_CAST', 'DELETE_CAST'] },
  ],
  'signer list': [
    () => [],
    [{ signer_uuid: ID, app_id: DEFAULT_APP, state: 'approved', fid: 1, permissions: ['PUBLISH_CAST', 'DELETE_CAST'] }],
  ],
  'signer revoke': [() => [signer], { signer: ID, fid: 1 }],
  'auth-address approve': [() => [ADDRESS, '--fid', '2'], { address: ADDRESS, fid: 2 }],
  'auth-address revoke': [() => [ADDRESS], { address: ADDRESS, fid: 2 }],
  'wallet create': [
    () => ['shop'],
    { id: ID, name: 'shop', address: expect.stringMatching(/^0x/), organization_id: ID },
  ],
  'wallet import': [() => ['old shop', '--key-file', file('key.txt')], { id: ID, name: 'old shop' }],
  'wallet list': [() => [], [{ name: 'shop', created_at: TIME }, { name: 'old shop' }]],
  'org create': [
    () => ['Acme', '--plan', 'starter'],
    { id: ID, name: 'Acme', plan_change: { plan: 'starter', change: 'upgrade', charge_cents: 900, credit_cents: 0 } },
  ],
  'org plan': [
    () => [organization(), 'scale', '--grant'],
    { id: ID, plan: 'scale', change: 'grant', charge_cents: 0, credit_cents: 0 },
  ],
  'org set': [() => [organization(), '--name', 'Acme 2'], { id: ID, name: 'Acme 2' }],
  'org list': [
    () => [],
    [
      { name: 'default', plan: 'free', subscribed: false, used_units: expect.any(Number) },
      { name: 'Other', plan: 'growth', plan_units: 150_000_000 },
      { name: 'Acme 2', plan: 'scale', subscribed: true, status: 'active', period_end: TIME },
    ],
  ],
  'org log': [
    () => [organization(), '--limit', '1'],
    [{ at: TIME, action: 'organization.changed', key_id: null, key_name: null, request_id: null }],
  ],
  'app create': [
    () => ['my host', '--fid', '3', '--notification-webhook', 'https://host.example/hook'],
    { id: ID, name: 'my host', fid: 3, webhook_secret: expect.stringMatching(/^whs_/) },
  ],
  'app set': [() => [printed['app create'].id, '--fid', 'none'], { name: 'my host', fid: null, webhook_secret: null }],
  'app list': [
    () => [],
    [
      { id: DEFAULT_APP, fid: null, miniapp_domain: null, sign_in_domains: [], browser_origins: [], created_at: TIME },
      { name: 'my host', notification_webhook: 'https://host.example/hook' },
    ],
  ],
  'key create': [
    () => ['reader', '--expires', '2126-01-31'],
    { id: ID, name: 'reader', key: expect.stringMatching(/^cst_/), scopes: ['read'], app_id: DEFAULT_APP },
  ],
  'key rotate': [() => [printed['key create'].id], { name: 'reader', key: expect.stringMatching(/^cst_/) }],
  'key revoke': [() => [printed['key create'].id], { id: ID, name: 'reader', revoked_at: TIME }],
  'key list': [
    () => [],
    expect.arrayContaining([
      expect.objectContaining({
        ...{
          state: 'works',
          name: 'reader',
          scopes: ['read'],
          expires_at: '2126-01-31T00:00:00.000Z',
          revoked_at: null,
        },
      }),
      expect.objectContaining({ state: 'revoked', name: 'reader', created_at: TIME, revoked_at: TIME }),
    ]),
  ],
  'invoice list': [
    () => ['--state', 'open'],
    [
      { plan: 'starter', amount_cents: 900, credit_cents: 0 },
      { organization_id: ID, plan: 'growth', state: 'open', price_cents: 4900, period_start: TIME },
    ],
  ],
  'invoice settle': [() => [invoice('starter')], { id: ID, state: 'paid', amount_cents: expect.any(Number) }],
  'invoice void': [() => [invoice('growth')], { id: ID, state: 'void', credit_cents: 0 }],
  'webhook list': [
    () => [],
    [{ id: ID, app_id: DEFAULT_APP, active: true, waiting: 0, oldest_waiting_at: null, given_up: 0 }],
  ],
  'webhook test': [
    () => [webhook, '--body'],
    { id: ID, type: 'cast.created', status: 200, failure: null, body: expect.stringContaining('cast.created') },
  ],
  'webhook replay': [() => [webhook, '--failed'], { id: ID, due: 0 }],
  'webhook match': [() => [webhook, cast], { matches: true, active: true, reason: expect.any(String), checks: [] }],
  'webhook rotate': [() => [webhook], { id: ID, secret: expect.any(String) }],
  'delivery list': [() => [], []],
  'delivery retry': [() => ['--all'], { retried: 0 }],
  'channel create': [() => ['garden', '--name', 'Garden', '--lead', '1'], { id: 'garden' }],
  'channel set': [() => ['garden', '--description', 'Seeds'], { id: 'garden' }],
  'channel alias': [
    () => ['garden', 'https://garden.example/'],
    { id: 'garden', url: 'https://garden.example/', removed: false },
  ],
  'channel lead': [() => ['garden', '2'], { id: 'garden', lead_fid: 2 }],
  'channel list': [
    () => ['--source', 'local'],
    [{ id: 'garden', gone: false, lead_fid: 2, follower_count: expect.any(Number), created_at: TIME }],
  ],
  'channel show': [
    () => ['garden'],
    { lead_fid: 2, urls: expect.arrayContaining(['https://garden.example/']), invites: [], restrictions: [] },
  ],
  'channel export': [() => [file('channels.json')], { file: expect.stringContaining('channels.json') }],
  'channel import': [() => [file('channels.json')], { channels: 1, members: expect.any(Number), kept: [] }],
  'miniapp fetch': [
    () => [zoo.domain('chess')],
    { domain: expect.any(String), listed: true, name: 'Chess', author_fid: OWNER, failure: null },
  ],
  'miniapp feature': [() => [zoo.domain('chess')], { domain: expect.any(String), placement: 'featured' }],
  'miniapp hide': [() => [zoo.domain('chess'), '--undo'], { placement: null }],
  'miniapp list': [() => ['--all'], [{ name: 'Chess', author_fid: OWNER, score: null, fetched_at: TIME }]],
  'miniapp show': [
    () => [zoo.domain('chess')],
    { name: 'Chess', next_fetch_at: TIME, manifest: { miniapp: { name: 'Chess' } } },
  ],
  doctor: [
    () => [],
    {
      healthy: expect.any(Boolean),
      checks: expect.arrayContaining([
        { check: 'schema', result: 'ok', found: 'is that of this version', advice: null },
      ]),
    },
  ],
  audit: [() => [], { differences: [] }],
  'secret rotate': [() => [], { sealed: expect.any(Number), left: 0 }],
};

/** They need a folder of their own: see backup.long.test.ts. */
const ELSEWHERE = ['backup', 'restore'];

test('every command has a case here', () => {
  expect([...Object.keys(CASES), ...ELSEWHERE].sort()).toEqual(allCommands.map(({ name }) => name).sort());
});

/** @returns the names of all members, but for those of documents that others wrote */
const membersOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(membersOf);
  return Object.entries(value).flatMap(([name, of]) => [name, ...(name === 'manifest' ? [] : membersOf(of))]);
};

describe('--json prints one value', () => {
  test.each(Object.entries(CASES))('%s', async (name, [args, expected]) => {
    const { out } = await runCommandIn(network, name, [...args(), '--json']);
    printed[name] = JSON.parse(out);
    if (Array.isArray(expected)) expect(printed[name]).toHaveLength(expected.length);
    expect({ value: printed[name] }).toMatchObject({ value: expected });
    for (const member of membersOf(printed[name])) expect(member).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  });
});

test('the members that examples give to jq are there', () => {
  const lines = allCommands
    .flatMap(({ examples }) => examples.map(([line]) => line))
    .filter((line) => / jq /.test(line));
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    const command = allCommands.find(({ name }) => line.includes(`castellan ${name} `))?.name as string;
    const filter = line.slice(line.indexOf(' jq ')).replaceAll(/"[^"]*"/g, '');
    const members = [...filter.matchAll(/\.([a-z_]+)|[{,] ?([a-z_]+)/g)].map(([, path, short]) => path ?? short);
    expect(membersOf(printed[command]), line).toEqual(expect.arrayContaining(members));
  }
});

test('remarks stay beside it, an empty list is one, and an error prints none', async () => {
  const none = await runCommandIn(network, 'wallet list', ['--organization', organization(), '--json']);
  expect(none).toMatchObject({ code: 0, out: '[]', notes: expect.stringContaining('There is no wallet yet') });
  const wrong = await runCommandIn(network, 'miniapp fetch', [zoo.domain('nowhere'), '--json']);
  expect(wrong).toMatchObject({ code: 1, notes: expect.stringContaining('is not listed') });
  expect(JSON.parse(wrong.out)).toMatchObject({ listed: false, author_fid: null, failure: expect.any(String) });
  await expect(runCommandIn(network, 'channel show', ['nowhere', '--json'])).rejects.toThrow('There is no channel');
});
