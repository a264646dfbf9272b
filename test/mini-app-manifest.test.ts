import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPageFetch } from '../src/crawl/page-fetch.js';
import { createCatalogService } from '../src/miniapp/catalog/service.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { documentReader } from './support/document-reader.js';
import { associate } from './support/mini-app.js';
import { type Answer, json, miniApp, signedHouse, sound, startZoo, type Zoo } from './support/mini-app-zoo.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { registerAccount } from './support/signer.js';

/** Manifests of strangers, from real servers: which are listed, and what is said of the others. */

const OWNER = 8_400;
const DAY_MS = 86_400_000;
const MANIFEST = '/.well-known/farcaster.json';

let network: Network;
let zoo: Zoo;
let seeded: Seeded;
let owner: { readonly account: ReturnType<typeof privateKeyToAccount>; readonly fid: number };
/** Milliseconds that the reader's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - 3600);
  zoo = await startZoo();
  owner = { account: (await registerAccount(network, OWNER)).account, fid: OWNER };
});
afterAll(async () => {
  await zoo.stop();
  await network.stop();
});
beforeEach(async () => {
  ahead = 0;
  await network.sql('delete from catalog_domain');
  // What earlier tests shared would be found again.
  await network.sql('delete from "cast"');
});

/** @param timeoutMs of each page; longer than a test may take unless given, so that a busy machine gives no domain up */
const crawl = async (timeoutMs = 300_000): Promise<void> => {
  const failures: unknown[] = [];
  const { db, networks, outbound } = network.app.services;
  const service = createCatalogService({
    db,
    networks,
    fetchPage: createPageFetch({ outbound, clock: () => Date.now() + ahead }),
    reader: documentReader,
    rule: outbound,
    clock: () => Date.now() + ahead,
    isCrawling: true,
    ownDomains: new Set(),
    timeoutMs,
    failed: (error) => failures.push(error),
  });
  await service.crawl(new AbortController().signal);
  expect(failures).toEqual([]);
};

interface Known {
  readonly domain: string;
  readonly failure: string | null;
  readonly failures: number;
  readonly hours: number;
  readonly isListed: boolean;
}
const knownOf = async (name: string): Promise<Known> => {
  const rows = await network.sql<Known>(
    `select d.domain, d.failure, d.failures, a.domain is not null as "isListed",
            round(extract(epoch from d.next_fetch_at - d.fetched_at) / 3600)::integer as hours
       from catalog_domain d left join catalog_app a using (domain) where d.domain = $1`,
    [zoo.domain(name)],
  );
  return rows[0] as Known;
};

let casts = 0;
/** Casts addresses of hosts of the zoo. */
const share = (...names: string[]) =>
  seeded.send(
    ...names.map((name) =>
      seeded.alice.cast({ text: `Look ${++casts}`, embeds: [`http://${zoo.domain(name)}/?page=${casts}`] }),
    ),
  );
/** Makes a domain due. The database's clock is finer than that of the job, so `now()` may be in the job's future. */
const due = (name: string) =>
  network.sql(
    "insert into catalog_domain (domain, found_at, next_fetch_at) values ($1, now(), now() - interval '1 s')",
    [zoo.domain(name)],
  );

const frames = async () => (await network.get('/v2/social/frame/catalog/')).body.frames;

test('a domain that a cast embeds is listed with what its manifest and its home page say', async () => {
  const config = (origin: string) =>
    miniApp(origin, {
      name: 'Che\u0007ss\u202e',
      subtitle: 'One move a day',
      tags: ['game', 'board'],
      primaryCategory: 'games',
      screenshotUrls: [`${origin}/a b.png`],
      requiredChains: ['eip155:8453', 'eip155:999', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
      requiredCapabilities: ['actions.signIn'],
      webhookUrl: '',
      heroImageUrl: null,
      unknown: { member: true },
    });
  zoo.house('valid', signedHouse(owner, config));
  await share('valid');
  await crawl();
  expect(await knownOf('valid')).toMatchObject({ failure: null, failures: 0, isListed: true, hours: 24 });
  const [frame, ...others] = await frames();
  const origin = `http://${zoo.domain('valid')}`;
  expect(others).toEqual([]);
  expect(frame).toMatchObject({
    version: '1',
    title: 'Chess',
    image: `${origin}/card.png`,
    frames_url: `${origin}/`,
    author: { object: 'user', fid: OWNER },
    manifest: {
      account_association: { header: expect.any(String), payload: expect.any(String), signature: expect.any(String) },
      miniapp: {
        name: 'Chess',
        subtitle: 'One move a day',
        tags: ['game', 'board'],
        primary_category: 'games',
        home_url: `${origin}/`,
        icon_url: `${origin}/icon.png`,
        screenshot_urls: [`${origin}/a%20b.png`],
      },
    },
  });
  expect(frame.manifest.miniapp).not.toHaveProperty('webhook_url');
  expect(frame.manifest).not.toHaveProperty('frame');
  expect(await network.sql('select networks from catalog_app')).toEqual([{ networks: ['base', 'solana'] }]);
});

test.each<[string, (origin: string) => string, { image: string; version: string }]>([
  ['new', () => '<meta name="fc:frame" content="{}">', { image: '/hero.png', version: 'next' }],
  [
    'old',
    (origin) =>
      `<meta property="fc:frame" content='{"version":"next","imageUrl":"${origin}/old.png","button":{"title":"Go"}}'>`,
    { image: '/old.png', version: 'next' },
  ],
  [
    'bad',
    () => `<meta name="fc:miniapp" content='{"version":"1","imageUrl":"javascript:alert(1)","button":{"title":"Go"}}'>`,
    { image: '/hero.png', version: 'next' },
  ],
  [
    'both',
    (origin) =>
      `<meta name="fc:frame" content='{"version":"next","imageUrl":"${origin}/old.png","button":{"title":"Go"}}'>` +
      `<meta name="fc:miniapp" content='{"version":1,"imageUrl":"${origin}/new.png","button":{"title":"Go"}}'>`,
    { image: '/new.png', version: '1' },
  ],
])('the picture comes from the embed of the home page, else from the manifest (%s)', async (name, head, wanted) => {
  const config = (origin: string) => miniApp(origin, { version: 'next', heroImageUrl: `${origin}/hero.png` });
  zoo.house(`head-${name}`, signedHouse(owner, config, head));
  await due(`head-${name}`);
  await crawl();
  const [frame] = await frames();
  expect([frame.image, frame.version]).toEqual([`http://${zoo.domain(`head-${name}`)}${wanted.image}`, wanted.version]);
});

const signedBy = (account: typeof owner.account, fid: number, domain?: string): Answer => {
  return async (request, response, origin) => {
    if (request.path !== MANIFEST) sound(request, response, origin);
    else {
      const accountAssociation = await associate(account, fid, domain ?? new URL(origin).hostname);
      json(response, { accountAssociation, frame: miniApp(origin) });
    }
  };
};
const onManifest =
  (answer: Answer): Answer =>
  (request, response, origin) =>
    request.path === MANIFEST ? answer(request, response, origin) : sound(request, response, origin);
const config = (more: Record<string, unknown>) => signedHouse(owner, (origin) => miniApp(origin, more));
const LASTING: readonly [name: string, answer: () => Answer, failure: RegExp][] = [
  ['stranger', () => signedBy(privateKeyToAccount(generatePrivateKey()), OWNER), /none of account 8400/],
  ['elsewhere', () => signedBy(owner.account, OWNER, 'other.example'), /for another domain/],
  [
    'forged',
    () => async (request, response, origin) => {
      if (request.path !== MANIFEST) return sound(request, response, origin);
      const accountAssociation = await associate(owner.account, OWNER, new URL(origin).hostname);
      const signature = Buffer.concat([randomBytes(64), Buffer.from([27])]).toString('base64url');
      json(response, { accountAssociation: { ...accountAssociation, signature }, miniapp: miniApp(origin) });
    },
    /accountAssociation .*signature|accountAssociation is/,
  ],
  ['unsigned', () => onManifest((_, response, origin) => json(response, { miniapp: miniApp(origin) })), /has no acc/],
  ['noindex', () => config({ noindex: true }), /says noindex/],
  ['canonical', () => config({ canonicalDomain: 'main.example' }), /canonicalDomain/],
  ['no-icon', () => config({ iconUrl: undefined }), /miniapp has no iconUrl/],
  ['no-name', () => config({ name: '' }), /miniapp has no name/],
  ['hidden-name', () => config({ name: '\u200b\u202e' }), /no visible character/],
  ['no-description', () => config({ description: undefined }), /no description/],
  ['long-name', () => config({ name: 'x'.repeat(33) }), /miniapp\.name must not have more than 32 characters/],
  ['long-subtitle', () => config({ subtitle: 'x'.repeat(31) }), /miniapp\.subtitle/],
  ['many-tags', () => config({ tags: ['a', 'b', 'c', 'd', 'e', 'f'] }), /miniapp\.tags/],
  ['wrong-types', () => config({ tags: 'game' }), /miniapp\.tags must be array/],
  ['wrong-version', () => config({ version: '2' }), /miniapp\.version/],
  ['wrong-category', () => config({ primaryCategory: 'gambling' }), /miniapp\.primaryCategory/],
  ['script', () => config({ homeUrl: 'javascript:alert(1)' }), /homeUrl cannot be used: it must begin with https/],
  ['http', () => config({ homeUrl: 'http://public.example/' }), /homeUrl cannot be used: it must begin with https/],
  ['private-icon', () => config({ iconUrl: 'https://10.0.0.1/icon.png' }), /iconUrl cannot be used: it must be a pub/],
  ['lost-icon', () => signedHouse(owner, (origin) => miniApp(origin, { iconUrl: `${origin}/x` })), /icon ans.*404/],
  ['no-image', () => signedHouse(owner, (origin) => miniApp(origin, { iconUrl: `${origin}/` })), /type is text/],
  ['missing', () => onManifest((_, response) => void response.writeHead(404).end()), /mini app manifest.*answered 404/],
  ['forbidden', () => onManifest((_, response) => void response.writeHead(403).end()), /answered 403/],
  ['not-json', () => onManifest((_, response) => void response.end('<html>')), /not a JSON object/],
  ['not-utf8', () => onManifest((_, response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d]))), /not a JSON/],
  ['array', () => onManifest((_, response) => json(response, [])), /not a JSON object/],
  ['huge', () => onManifest((_, response) => void response.end(Buffer.alloc(600 * 1024, 0x20))), /cannot be read/],
  [
    'loop',
    () => onManifest((_, response, origin) => void response.writeHead(307, { location: `${origin}${MANIFEST}` }).end()),
    /redirects more than 3 times/,
  ],
  [
    'inward',
    () => onManifest((_, response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end()),
    /must be a public one/,
  ],
  ['gone', () => onManifest((_, response) => void response.writeHead(410).end()), /mini app manifest.*answered 410/],
];

test('a manifest that is not sound is not listed, and its developer can read why', async () => {
  for (const [name, answer] of LASTING) zoo.house(name, answer());
  await share(...LASTING.map(([name]) => name));
  await crawl();
  for (const [name, , failure] of LASTING) {
    expect.soft(await knownOf(name), name).toMatchObject({ isListed: false, failures: 1, hours: 24 });
    expect.soft((await knownOf(name))?.failure, name).toMatch(failure);
  }
  expect(await frames()).toEqual([]);
  // Remembered: no domain is asked again within the day.
  const before = zoo.receiver.received.length;
  ahead = DAY_MS / 2;
  await share(...LASTING.map(([name]) => name));
  await crawl();
  expect(zoo.receiver.received.length).toBe(before);
});

test('a hosted manifest is read through a redirect', async () => {
  zoo.house('redirects', async (request, response, origin) => {
    if (request.path !== MANIFEST) return sound(request, response, origin);
    response.writeHead(307, { location: `http://${zoo.domain('store')}/hosted-manifest/1` }).end();
  });
  zoo.house('store', async (_, response) => {
    const domain = zoo.domain('redirects').split(':', 1)[0] as string;
    const accountAssociation = await associate(owner.account, OWNER, domain);
    json(response, { accountAssociation, miniapp: miniApp(`http://${zoo.domain('redirects')}`) });
  });
  await due('redirects');
  await crawl();
  expect(await knownOf('redirects')).toMatchObject({ isListed: true, failure: null });
});

test('tunnels, addresses and names that cannot have a mini app are not asked', async () => {
  const hosts = ['abc.ngrok-free.app', 'x.trycloudflare.com', '127.0.0.1:9', 'intranet', 'a.example:99999'];
  await seeded.send(
    ...hosts.map((host) => seeded.alice.cast({ text: `At ${host}`, embeds: [`https://${host}/game`] })),
    seeded.alice.cast({ text: 'Not for domains', embeds: ['https://user@b.example/', 'ftp://c.example/'] }),
  );
  await crawl();
  const rows = await network.sql<{ domain: string; failure: string }>(
    'select domain, failure from catalog_domain where domain = any($1) order by domain',
    [[...hosts, 'b.example', 'c.example', 'user']],
  );
  expect(rows.map(({ domain }) => domain)).toEqual([...hosts].sort());
  for (const { domain, failure } of rows) expect(failure, domain).toMatch(/tunnel|no host name/);
});

test('a manifest that did not change is not read again; one that did is', async () => {
  let subtitle = 'First';
  const conditions: unknown[] = [];
  const answer = signedHouse(owner, (origin) => miniApp(origin, { subtitle }));
  zoo.house('tagged', (request, response, origin) => {
    if (request.path === MANIFEST) {
      conditions.push(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === `"${subtitle}"`) return void response.writeHead(304).end();
      response.setHeader('etag', `"${subtitle}"`);
    }
    return answer(request, response, origin);
  });
  await due('tagged');
  await crawl();
  ahead = DAY_MS + 1_000;
  await crawl();
  expect(await knownOf('tagged')).toMatchObject({ isListed: true, hours: 24 });
  subtitle = 'Second';
  ahead = 2 * DAY_MS + 2_000;
  await crawl();
  expect(conditions).toEqual([undefined, '"First"', '"First"']);
  expect(zoo.asked('tagged').filter((path) => path === '/icon.png')).toHaveLength(2);
  expect(await network.sql('select subtitle, etag from catalog_app')).toEqual([{ subtitle, etag: '"Second"' }]);
  // The account's custody address is another one now: an unchanged manifest is no longer valid.
  await network.sql('update account set custody_address = $1 where fid = $2', [randomBytes(20), OWNER]);
  ahead = 3 * DAY_MS + 3_000;
  await crawl();
  expect(await knownOf('tagged')).toMatchObject({ isListed: false, failure: expect.stringMatching(/none of account/) });
  await network.sql('update account set custody_address = $1 where fid = $2', [
    Buffer.from(owner.account.address.slice(2), 'hex'),
    OWNER,
  ]);
});

test('a mini app whose domain is away stays for a week; pauses double', async () => {
  let status = 200;
  const answer = signedHouse(owner);
  zoo.house('away', (request, response, origin) =>
    status === 200 ? answer(request, response, origin) : void response.writeHead(status).end(),
  );
  await due('away');
  await crawl();
  status = 500;
  const hours: number[] = [];
  ahead = DAY_MS + 1_000;
  for (let turn = 0; turn < 8; turn++) {
    await crawl();
    const known = await knownOf('away');
    hours.push(known.hours);
    expect(known).toMatchObject({ failure: 'The manifest answered 500.', failures: turn + 1 });
    expect([turn, known.isListed]).toEqual([turn, ahead < 7 * DAY_MS]);
    ahead += known.hours * 3_600_000 + 1_000;
  }
  expect(hours).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
  status = 200;
  await crawl();
  expect(await knownOf('away')).toMatchObject({ isListed: true, failures: 0, hours: 24 });
});

test('a domain that answers byte by byte is given up', async () => {
  zoo.house('drip', async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  await due('drip');
  await crawl(300);
  expect(await knownOf('drip')).toMatchObject({ failure: expect.stringMatching(/took longer/), hours: 1 });
});

test('a slow domain holds up no other', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  zoo.house('held', async (request, response, origin) => {
    if (request.path === MANIFEST) await held;
    await signedHouse(owner)(request, response, origin);
  });
  const quick = Array.from({ length: 20 }, (_, n) => `quick${n}`);
  for (const name of quick) zoo.house(name, signedHouse(owner));
  for (const name of ['held', ...quick]) await due(name);
  const running = crawl();
  try {
    const unlisted = () =>
      network.sql(
        `select domain, failure from catalog_domain d
          where not exists (select from catalog_app a where a.domain = d.domain)`,
      );
    await expect.poll(unlisted).toEqual([{ domain: zoo.domain('held'), failure: null }]);
  } finally {
    release();
    await running;
  }
  expect((await knownOf('held')).isListed).toBe(true);
});

test('casts of accounts that nobody trusts make no domain known, once there are trusted accounts', async () => {
  zoo.house('spam', signedHouse(owner));
  await network.sql('update account set score = case when fid = $1 then 0.05 else 0.5 end', [FIDS.alice]);
  await share('spam');
  await crawl();
  expect(await knownOf('spam')).toBeUndefined();
  await network.sql('update account set score = 0.1 where fid = $1', [FIDS.alice]);
  await crawl();
  expect(await knownOf('spam')).toMatchObject({ isListed: true });
});

test('a service that stops waits for no domain', async () => {
  zoo.house('endless', () => undefined);
  await due('endless');
  const stopping = new AbortController();
  const running = network.app.readMiniApps(stopping.signal);
  await expect.poll(() => zoo.asked('endless').length).toBe(1);
  stopping.abort(new Error('stopping'));
  await expect(running).rejects.toThrow('stopping');
  expect(await knownOf('endless')).toMatchObject({ failures: 0, failure: null });
});
