import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '../src/delivery/outbound.js';
import { readDomain } from '../src/miniapp/domain.js';
import { createManifests } from '../src/miniapp/manifest.js';
import { createWebhookSender } from '../src/miniapp/webhook.js';
import { createNetworks } from '../src/onchain/rpc/networks.js';
import { makeAuthority, makeCertificate } from './support/certificate.js';
import { delay } from './support/delay.js';
import { startNameServer } from './support/dns-server.js';
import { associate } from './support/mini-app.js';
import { type Network, startNetwork } from './support/network.js';
import { startReceiver } from './support/receiver.js';
import { approvedSigner, registerAccount } from './support/signer.js';

/** Domains that mean no good, asked for through the front door. */
const FID = 7_400;
const WALLET = privateKeyToAccount(`0x${'44'.repeat(32)}`);
const MIB = 1024 * 1024;
let network: Network;
let uuid: string;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  await registerAccount(network, FID);
  ({ uuid } = await approvedSigner(network, FID));
});
afterAll(() => network.stop());

type TestResponse = (response: ServerResponse, domain: string) => void | Promise<void>;

/** Account 424242 is not stored here: its signature alone counts. */
const good = async (domain: string, more: object = {}) =>
  JSON.stringify({
    accountAssociation: await associate(WALLET, 424_242, domain),
    miniapp: { version: '1', name: 'x', webhookUrl: `http://${domain}/webhook` },
    ...more,
  });
const fine: TestResponse = async (response, domain) => void response.end(await good(domain));
const late =
  (answer: TestResponse): TestResponse =>
  async (response, domain) => {
    await delay(3_500);
    await answer(response, domain);
  };
const slowBody: TestResponse = (response) => {
  response.writeHead(200);
  const dripping = setInterval(() => response.write(' '), 1_000);
  response.on('close', () => clearInterval(dripping));
};
/** A gigabyte, as fast as it is read. */
const flood: TestResponse = (response) => {
  const chunk = Buffer.alloc(MIB, ' ');
  let left = 1024;
  const pour = (): void => {
    while (left-- > 0 && !response.destroyed) if (!response.write(chunk)) return void response.once('drain', pour);
    response.end();
  };
  pour();
};
const BOMB = gzipSync(Buffer.alloc(64 * MIB, ' '));
const bomb: TestResponse = (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB);
const redirect: TestResponse = (response) =>
  void response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end();

const HOSTILE: readonly [
  string,
  { readonly manifest: TestResponse; readonly webhook?: TestResponse },
  number,
  RegExp,
][] = [
  ['has no manifest', { manifest: (response) => void response.writeHead(404).end() }, 404, /no mini app manifest/],
  ['redirects to a private address', { manifest: redirect }, 502, /answered 307; redirects/],
  ['redirects its webhook', { manifest: fine, webhook: redirect }, 502, /answered 307; redirects/],
  ['has a manifest of a gigabyte', { manifest: flood }, 502, /more than 131072 bytes/],
  ['answers events with a gigabyte', { manifest: fine, webhook: flood }, 502, /more than 65536 bytes/],
  ['sends its manifest a byte a second', { manifest: slowBody }, 502, /longer than 5 s/],
  ['answers events a byte a second', { manifest: fine, webhook: slowBody }, 502, /longer than/],
  ['is slow twice', { manifest: late(fine), webhook: late(slowBody) }, 502, /longer than 1\.\d+ s/],
  ['never answers', { manifest: () => undefined }, 502, /longer than 5 s/],
  ['has a gzip bomb for a manifest', { manifest: bomb }, 502, /compressed/],
  ['answers events with a gzip bomb', { manifest: fine, webhook: bomb }, 502, /compressed/],
  ['has a manifest that is no JSON', { manifest: (response) => void response.end('{"a":') }, 502, /not a JSON object/],
  ['has a huge number', { manifest: (response) => void response.end(`1${'0'.repeat(100_000)}`) }, 502, /JSON object/],
  [
    'has a huge fid',
    {
      manifest: async (response, domain) => {
        const manifest = JSON.parse(await good(domain));
        const header = { type: 'custody', key: WALLET.address };
        const text = JSON.stringify(header).replace('{', '{"fid":1e400,');
        manifest.accountAssociation.header = Buffer.from(text).toString('base64url');
        response.end(JSON.stringify(manifest));
      },
    },
    502,
    /header without a valid fid/,
  ],
  [
    'claims another domain',
    { manifest: async (response) => void response.end(await good('other.example')) },
    502,
    /another domain/,
  ],
  [
    'sends events to metadata',
    {
      manifest: async (response, domain) =>
        void response.end(await good(domain, { miniapp: { webhookUrl: 'https://169.254.169.254/' } })),
    },
    502,
    /webhookUrl .* public/,
  ],
];

test('each gets an error soon after the 5 s of an attempt, even concurrently, and memory stays constant', async () => {
  const servers = await Promise.all(
    HOSTILE.map(async ([, { manifest, webhook = manifest }]) => {
      const server = await startReceiver(({ path }, response) =>
        (path === '/webhook' ? webhook : manifest)(response, `localhost:${server.port}`),
      );
      return server;
    }),
  );
  const before = process.memoryUsage().rss;
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  // How much later than asked for this machine lets a timer of the same length run: that is not the service's time.
  const started = performance.now();
  const lateness = delay(5_000).then(() => performance.now() - started - 5_000);
  const told = await Promise.all(
    servers.map(async ({ port }) => {
      const began = performance.now();
      const answer = await network.send('POST', '/v2/social/app_host/user/event/', {
        app_domain: `localhost:${port}`,
        fid: FID,
        signer_uuid: uuid,
        event: 'notifications_enabled',
      });
      return { answer, took: performance.now() - began };
    }),
  );
  clearInterval(watching);
  for (const [index, [what, , status, words]] of HOSTILE.entries()) {
    const { answer, took } = told[index] as (typeof told)[number];
    expect([what, answer.status, answer.body.message]).toEqual([what, status, expect.stringMatching(words)]);
    expect(took, what).toBeLessThan(9_000 + (await lateness));
  }
  // The gigabytes are poured by this very process: its buffers for them count too.
  expect(most - before).toBeLessThan(150 * MIB);
  // None of their tokens works.
  const { body } = await network.get(`/v2/social/app_host/user/state/?fid=${FID}`);
  expect(body.notifications_enabled).toEqual([]);
  await network.sql('delete from host_delivery');
  await Promise.all(servers.map((server) => server.stop()));
}, 30_000);

test('a name that resolves differently between manifest and webhook is checked again', async () => {
  const authority = await makeAuthority();
  const certificate = await makeCertificate(authority, ['app.test']);
  const target = await startReceiver(async ({ headers }, response) => {
    const host = headers.host as string;
    response.end(await good(host, { miniapp: { webhookUrl: `https://${host}/webhook` } }));
  }, certificate);
  const names = await startNameServer({ 'app.test': [['127.0.0.1'], ['169.254.169.254']] });
  const outbound = createOutbound({ allowLoopback: true, nameServers: [names.address], ca: authority.cert });
  const networks = createNetworks({ rpc: {} });
  const tell = createWebhookSender({
    manifests: createManifests({ db: network.app.core.db, outbound, networks }),
    outbound,
  });
  await expect(tell(readDomain(`app.test:${target.port}`, outbound), '{}')).rejects.toThrow('has no public address');
  expect(target.received.map(({ path }) => path)).toEqual(['/.well-known/farcaster.json']);
  await Promise.all([target.stop(), names.stop()]);
});
