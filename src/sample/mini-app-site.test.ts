import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentReader } from '../../test/support/document-reader.js';
import { startZoo, type Zoo } from '../../test/support/mini-app-zoo.js';
import { type Network, startNetwork } from '../../test/support/network.js';
import { createPageFetch } from '../crawl/page-fetch.js';
import { createCatalogService } from '../miniapp/catalog/service.js';
import { author, SAMPLE_SEED } from './author.js';
import { SAMPLE_MINI_APPS } from './mini-app.js';
import { sampleMiniApps } from './mini-app-site.js';
import { generateSampleNetwork } from './network.js';

const HOST = 'localhost:3999';

let network: Network;
let zoo: Zoo;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { sampleMiniApps: sampleMiniApps(HOST) });
  zoo = await startZoo();
});
afterAll(async () => {
  await zoo.stop();
  await network.stop();
});

test('the mini apps of the sample are listed as those of strangers are, although loopback is not called otherwise', async () => {
  const sites = sampleMiniApps(`localhost:${zoo.port}`);
  const authors = SAMPLE_MINI_APPS.map(({ authorFid }) => author({ seed: SAMPLE_SEED, fid: authorFid }));
  await network.load(authors.map((one) => one.register()));
  const labels = [...SAMPLE_MINI_APPS.map(({ label }) => label), 'foreign'];
  for (const label of labels) {
    zoo.house(label, async ({ path }, response) => {
      const found = await sites.answer(zoo.domain(label), path);
      if (found === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': found.type }).end(found.body);
    });
    await network.sql(
      "insert into catalog_domain (domain, found_at, next_fetch_at) values ($1, now(), now() - interval '1 s')",
      [zoo.domain(label)],
    );
  }
  const { db, networks, outbound } = network.app.services;
  const service = createCatalogService({
    db,
    networks,
    fetchPage: createPageFetch({ outbound, ownHosts: sites.domains, clock: Date.now }),
    reader: documentReader,
    rule: outbound,
    clock: Date.now,
    isCrawling: true,
    ownDomains: sites.domains,
    failed: (error) => expect.unreachable(String(error)),
  });
  await service.crawl(new AbortController().signal);
  const { body } = await network.get('/v2/social/frame/catalog/');
  expect(body.frames.map(({ title }: { title: string }) => title).sort()).toEqual(
    SAMPLE_MINI_APPS.map(({ name }) => name).sort(),
  );
  for (const { image, frames_url } of body.frames) expect(image).toBe(`${frames_url}card.svg`);
  expect(zoo.asked('foreign')).toEqual([]);
});

const page = (host: string, path: string): Promise<{ status: number; type: string; body: string }> =>
  new Promise((resolve, reject) => {
    get(`${network.url}${path}`, { headers: { host } }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body });
    }).on('error', reject);
  });

test('a development service answers under the names of its mini apps, and as ever under its own', async () => {
  const domain = `chess.${HOST}`;
  expect(await page(domain, '/?x=1')).toMatchObject({ status: 200, type: expect.stringContaining('text/html') });
  expect((await page(domain.toUpperCase(), '/')).body).toContain('<h1>Tide Chess</h1>');
  expect(await page(domain, '/icon.svg')).toMatchObject({ status: 200, type: expect.stringContaining('image/svg') });
  expect(await page(domain, '/v2/social/frame/catalog/')).toMatchObject({ status: 404 });
  expect(await page('chess.localhost:1', '/health/live')).toMatchObject({ status: 200 });
  expect(await page(HOST, '/.well-known/farcaster.json')).toMatchObject({ status: 404 });
});

test('accounts of the sample cast the mini apps within the week, in addition to their other casts', async () => {
  const options = { accounts: 60, casts: 200, reactions: 200, follows: 200, now: 180_000_000 };
  const [plain, shared] = [generateSampleNetwork(options), generateSampleNetwork({ ...options, miniApps: HOST })];
  const sharers = SAMPLE_MINI_APPS.reduce((sum, app) => sum + app.sharers, 0);
  expect(shared.total - plain.total).toBe(sharers);
  const urls = new Set(SAMPLE_MINI_APPS.map(({ label }) => `http://${label}.${HOST}/`));
  let found = 0;
  for await (const items of shared.items()) {
    for (const item of items) {
      if (item.kind !== 'message') continue;
      const text = Buffer.from(item.wire).toString('latin1');
      if ([...urls].some((url) => text.includes(url))) found++;
    }
  }
  expect(found).toBe(sharers);
});
