import type { ServerResponse } from 'node:http';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/database.js';
import { createOutbound } from '../src/delivery/outbound.js';
import { readDomain } from '../src/miniapp/domain.js';
import { createManifests } from '../src/miniapp/manifest.js';
import { ManifestError } from '../src/miniapp/manifest-error.js';
import { createNetworks } from '../src/onchain/rpc/networks.js';
import { openTestDatabase } from './support/database.js';
import { associate } from './support/mini-app.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { type HeldTimeLimits, holdTimeLimits } from './support/time-limit.js';

const FID = 42;
const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`);
let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase());
  const address = Buffer.from(owner.address.slice(2), 'hex');
  await db.run('insert into account (fid, custody_address, registered_at) values ($1, $2, now())', [FID, address]);
});
afterAll(() => drop());

const servers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((one) => one.stop()));
});

const outbound = createOutbound({ allowLoopback: true });
/** @returns a reader of one domain, whose server answers as told. */
const serve = async (answer: (response: ServerResponse, domain: string) => void) => {
  const server = await startReceiver((_request, response) => answer(response, `localhost:${server.port}`));
  servers.push(server);
  const manifests = createManifests({ db, outbound, networks: createNetworks({ rpc: {} }) });
  const domain = readDomain(`localhost:${server.port}`, outbound);
  return { server, domain, read: () => manifests.read(domain, 3_000) };
};
const good = async (domain: string, more: object = {}, wallet = owner) => ({
  accountAssociation: await associate(wallet, FID, domain),
  miniapp: { version: '1', name: 'x', webhookUrl: 'https://hooks.example/x' },
  ...more,
});
const serveManifest = (make: (domain: string) => object | Promise<object>, headers: Record<string, string> = {}) =>
  serve((response, domain) => {
    void Promise.resolve(make(domain)).then((manifest) =>
      response.writeHead(200, headers).end(JSON.stringify(manifest)),
    );
  });
const failure = async (read: () => Promise<unknown>): Promise<ManifestError> => {
  const error = await read().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ManifestError);
  return error as ManifestError;
};

test('the webhook is read from either section and cached for at least a minute', async () => {
  const one = await serveManifest((domain) => good(domain), { 'cache-control': 'no-store' });
  expect((await one.read()).webhookUrl.href).toBe('https://hooks.example/x');
  await Promise.all([one.read(), one.read()]);
  expect(one.server.received).toHaveLength(1);
  const old = await serveManifest((domain) =>
    good(domain, { miniapp: undefined, frame: { webhookUrl: 'https://old.example' } }),
  );
  expect((await old.read()).webhookUrl.href).toBe('https://old.example/');
});

test('concurrent readers send one request', async () => {
  const { server, read } = await serveManifest((domain) => good(domain));
  await Promise.all([read(), read(), read()]);
  expect(server.received).toHaveLength(1);
});

test('a domain without manifest or without webhook is absent', async () => {
  const none = await serve((response) => void response.writeHead(404).end());
  expect(await failure(none.read)).toMatchObject({ isAbsent: true, kind: 'not_found', property: 'app_domain' });
  // Asked again at once, it is not asked for again.
  await failure(none.read);
  expect(none.server.received).toHaveLength(1);
  const silent = await serveManifest((domain) => good(domain, { miniapp: { name: 'x' } }));
  expect(await failure(silent.read)).toMatchObject({ isAbsent: true });
});

test.each([
  ['is signed by a stranger', async (domain: string) => good(domain, {}, stranger), /none of account 42/],
  ['is for another domain', async () => good('other.example'), /another domain/],
  [
    'has a forged signature',
    async (domain: string) => {
      const manifest = await good(domain);
      const other = await associate(stranger, FID, domain);
      return { ...manifest, accountAssociation: { ...manifest.accountAssociation, signature: other.signature } };
    },
    /does not hold/,
  ],
  [
    'has no association',
    async (domain: string) => good(domain, { accountAssociation: undefined }),
    /accountAssociation/,
  ],
  [
    'has numbers for texts',
    async (domain: string) => good(domain, { accountAssociation: { header: 1e308, payload: 2, signature: 3 } }),
    /accountAssociation/,
  ],
  [
    'sends events to a private address',
    async (domain: string) => good(domain, { miniapp: { webhookUrl: 'https://10.0.0.1/' } }),
    /webhookUrl .* public/,
  ],
  [
    'sends events over http',
    async (domain: string) => good(domain, { miniapp: { webhookUrl: 'http://app.example/' } }),
    /webhookUrl .* https/,
  ],
  [
    'has a webhook that is no text',
    async (domain: string) => good(domain, { miniapp: { webhookUrl: 1e19 } }),
    /webhookUrl .* not a URL/,
  ],
])('a manifest that %s is rejected', async (_what, make, words) => {
  const error = await failure((await serveManifest(make)).read);
  expect([error.isAbsent, error.kind]).toEqual([false, 'bad_gateway']);
  expect(error.message).toMatch(words);
});

let limits: HeldTimeLimits;
test.each([
  [
    'redirects',
    (response: ServerResponse) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    /redirect/,
  ],
  [
    'is a gigabyte',
    (response: ServerResponse) => void response.writeHead(200, { 'content-length': 1e9 }).write('{'),
    /more than/,
  ],
  ['is no JSON', (response: ServerResponse) => void response.end('<html>'), /JSON object/],
  ['is nested without end', (response: ServerResponse) => void response.end('['.repeat(100_000)), /JSON object/],
  ['is a number', (response: ServerResponse) => void response.end('1e400'), /JSON object/],
  ['fails', (response: ServerResponse) => void response.writeHead(500).end(), /answered 500/],
  [
    'comes one byte at a time',
    (response: ServerResponse) => {
      let bytes = 0;
      const slowBody = setInterval(() => {
        response.write(' ');
        if (++bytes === 5) limits.end();
      }, 20);
      response.on('close', () => clearInterval(slowBody));
    },
    /longer than 3 s/,
  ],
])('a manifest that %s is reported quickly', async (_what, answer, words) => {
  limits = holdTimeLimits();
  const error = await failure((await serve(answer)).read);
  expect(error.message).toMatch(words);
  // Nothing took longer, because time ends only where the test says so.
  expect(limits.lengths).toEqual([3_000]);
});
