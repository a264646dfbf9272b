import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { buildProgram, type Castellan, castellan, freePort, TestWorkspace } from './support/castellan.js';
import { openStream } from './support/event-stream.js';
import { WITHOUT_EXAMPLE } from './support/without-example.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const work = new TestWorkspace();
let environment: Record<string, string>;
let url: string;
let service: Castellan;
/** The newest casts at the moment when the service said that it is ready. */
let newest: readonly Cast[] = [];
/** States of `/health/ready` since the first response, each once. */
const readiness: string[] = [];
/** What a browser and a program got from the first moment on in which the port answered. */
const early: { page?: string; answer?: { status: number; body: unknown } } = {};

interface User {
  readonly fid: number;
  readonly pfp_url: string;
  readonly profile: { readonly banner?: { readonly url: string } };
}
interface Cast {
  readonly hash: string;
  readonly text: string;
  readonly timestamp: string;
  readonly embeds: readonly { readonly url?: string; readonly metadata?: object }[];
  readonly app: { readonly username: string; readonly display_name: string; readonly pfp_url: string };
}

const keyOf = (store: Record<string, string>): string =>
  readFileSync(join(store.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8').trim();

/** @returns the text of HTML without elements */
const textOf = (html: string): string =>
  html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('&amp;', '&');

/** Asks as a program does, with the key of the data folder. */
const ask = async <Body>(path: string, body?: object): Promise<Body> => {
  const headers = { 'x-api-key': keyOf(environment), ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(
    `${url}${path}`,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  const text = await response.text();
  expect(`${response.status} ${text}`, path).toMatch(/^200 /);
  return JSON.parse(text) as Body;
};

const run = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await castellan(args, environment);
  expect(`${code} ${err}`, args.join(' ')).toMatch(/^0 /);
  return out.trim();
};

/** Polls until the service is ready. */
const watchReadiness = async (): Promise<void> => {
  const note = (state: string): void => {
    if (readiness.at(-1) !== state) readiness.push(state);
  };
  const ask = async (): Promise<void> => {
    const response = await fetch(`${url}/health/ready`);
    if (early.page === undefined) {
      early.page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
      const answer = await fetch(`${url}/v2/social/user/bulk/?fids=1`);
      early.answer = { status: answer.status, body: await answer.json() };
    }
    const { checks } = (await response.json()) as { checks: Record<string, { problem?: string }> };
    note(response.status === 200 ? 'ready' : `${checks.startup?.problem}`);
    expect(response.status).toBe(200);
  };
  await vi.waitFor(ask, { timeout: 500_000, interval: 20 });
};

beforeAll(async () => {
  await buildProgram();
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  environment = {
    ...(await work.newStore()),
    PORT: port,
    CASTELLAN_METRICS_PORT: 'off',
    CASTELLAN_API_KEY: 'chosen-by-the-user',
  };
  service = work.start(['dev', '--still'], environment);
  await watchReadiness();
  const fids = Array.from({ length: 100 }, (_, n) => n + 1);
  const feed = await ask<{ casts: Cast[] }>(
    `/v2/social/feed/?feed_type=filter&filter_type=fids&fids=${fids.join()}&limit=100`,
  );
  newest = feed.casts;
});
afterAll(() => work.clear());

describe('the start of a development service', () => {
  it('is ready only when the sample can be read, and reports its steps until then', async () => {
    expect(readiness[0]).toMatch(/^not done yet: /);
    expect(readiness).toContainEqual(expect.stringMatching(/: loading the sample network \(\d\d?%\)$/));
    expect(readiness.at(-1)).toBe('ready');
    const { users } = await ask<{ users: User[] }>('/v2/social/user/bulk/?fids=1,300');
    expect(users.map(({ fid }) => fid)).toEqual([1, 300]);
    await expect.poll(() => service.out()).toContain('Try:');
  });

  it('shows a page with its steps and refuses programs before it is loaded', () => {
    expect(early.page).toContain('<h1>Castellan is starting</h1>');
    expect(early.page).toMatch(/role="status">(Starting Castellan|Opening the database).* \.\.\.</);
    expect(early.answer).toMatchObject({
      status: 503,
      body: { code: 'ServiceUnavailable', message: expect.stringContaining('Try again in a second') },
    });
  });

  it('has read the pages that casts embed by then', () => {
    const own = newest
      .flatMap(({ embeds }) => embeds)
      .filter((embed) => embed.url?.startsWith(url.replace(/:\d+$/, '')));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter(({ metadata }) => metadata === undefined)).toEqual([]);
  });

  it('prints each step on standard error', () => {
    const steps = ['Starting Castellan', 'Opening the database', 'Loading the sample network', 'of 33,236 messages'];
    const places = steps.map((step) => service.err().indexOf(step));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
  });

  it('accepts the key of CASTELLAN_API_KEY, which data/api-key then contains', async () => {
    expect(keyOf(environment)).toBe('chosen-by-the-user');
    await ask('/v2/social/user/bulk/?fids=1');
  });

  it('prints a hub address that clients append /v1 to', async () => {
    await expect.poll(() => service.out()).toContain('Hub URL');
    const [, hub = ''] = /Hub URL +(\S+)/.exec(service.out()) ?? [];
    const response = await fetch(`${hub}/v1/fids?shard_id=1`, { headers: { 'x-api-key': keyOf(environment) } });
    expect(response.status).toBe(200);
  });
});

describe('the start page', () => {
  it('is HTML for a browser, with first steps, and JSON for a program', async () => {
    const page = await fetch(url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    for (const path of ['/docs', '/health/ready', '/openapi.json']) {
      expect(html).toContain(`href="${path}"`);
      expect((await fetch(`${url}${path}`)).status, path).toBe(200);
    }
    const lines = html.match(/curl [^<]+/g) ?? [];
    expect(lines).toHaveLength(4);
    const paths = lines.map((line) => /http:[^']+/.exec(textOf(line))?.[0].slice(url.length) as string);
    for (const path of paths.slice(0, 3)) await ask(path);
    // The last one goes on until it is closed.
    const stream = await openStream(`${url}${paths[3]}`, { 'x-api-key': keyOf(environment) });
    await expect.poll(() => stream.blocks).toHaveLength(1);
    stream.close();
    const answer = await fetch(url, { headers: { accept: 'application/json' } });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toMatchObject({
      name: 'castellan',
      reference: `${url}/docs`,
      health: `${url}/health/ready`,
    });
    expect((await fetch(url)).headers.get('content-type')).toContain('application/json');
  });
});

describe('the sample network', () => {
  it('ends at the start', async () => {
    const newest = await ask<{ casts: Cast[] }>(
      '/v2/social/feed/?feed_type=filter&filter_type=fids&fids=1,2,3,4,5,6,7,8,9,10,11,12&limit=1',
    );
    const age = Date.now() - Date.parse((newest.casts[0] as Cast).timestamp);
    expect(age).toBeLessThan(2 * 86_400_000);
    expect(age).toBeGreaterThan(0);
  });

  it('has channels with a life: members, followers, invites, and some that are trending', async () => {
    const lists: Record<string, number> = {
      'channel/list/?limit=100': 16,
      'channel/search/?q=foo': 2,
      'channel/trending/?time_window=7d': 10,
      'topic/trending/?limit=25': 4,
      'feed/topic/?slug=solar_eclipse': 10,
      'channel/user/?fid=4': 2,
      'user/channels/?fid=4': 2,
      'channel/followers/?id=dev': 25,
      'channel/member/list/?channel_id=dev': 5,
      'user/memberships/list/?fid=4': 1,
      'channel/member/invite/list/?': 10,
    };
    for (const [path, least] of Object.entries(lists)) {
      const body = await ask<Record<string, unknown[]>>(`/v2/social/${path}`);
      const items = Object.values(body).find(Array.isArray) ?? [];
      expect({ path, length: items.length >= least || items.length }).toEqual({ path, length: true });
    }
    const { channel } = await ask<{ channel: object }>('/v2/social/channel/?id=dev&viewer_fid=1');
    expect(channel).toMatchObject({
      lead: { fid: 4 },
      moderator_fids: expect.arrayContaining([1]),
      viewer_context: { following: true, role: 'moderator' },
    });
    const relevant = await ask<{ all_relevant_followers_dehydrated: unknown[] }>(
      '/v2/social/channel/followers/relevant/?id=dev&viewer_fid=3',
    );
    expect(relevant.all_relevant_followers_dehydrated.length).toBeGreaterThan(0);
  });

  it('has pictures of accounts, channels and casts at this service', async () => {
    const fids = Array.from({ length: 100 }, (_, index) => index + 1).join();
    const { users } = await ask<{ users: User[] }>(`/v2/social/user/bulk/?fids=${fids}`);
    const feed = await ask<{ casts: Cast[] }>(
      '/v2/social/feed/?feed_type=filter&filter_type=embed_types&embed_types=image&limit=3',
    );
    const channels = await ask<{ casts: { channel: { image_url: string } }[] }>(
      '/v2/social/feed/channels/?channel_ids=dev&limit=1',
    );
    const banner = users.find(({ profile }) => profile.banner)?.profile.banner?.url;
    const pictures = [users[0]?.pfp_url, users[1]?.pfp_url, banner, channels.casts[0]?.channel.image_url];
    const embedded = feed.casts
      .flatMap(({ embeds }) => embeds.flatMap((embed) => embed.url ?? []))
      .filter((one) => one.endsWith('.svg'));
    expect(embedded.length).toBeGreaterThan(0);
    for (const picture of [...pictures, ...embedded]) {
      expect(picture).toMatch(new RegExp(`^${url}/sample/(avatar|banner|channel|cast)/[a-z0-9]+\\.svg$`));
      const response = await fetch(picture as string);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(response.headers.get('cache-control')).toContain('max-age');
    }
    for (const path of ['/sample/avatar/1.png', '/sample/other/1.svg', '/sample/avatar/%22.svg'])
      expect((await fetch(`${url}${path}`)).status, path).toBe(404);
  });

  it.runIf(hasBrowser)(
    'shows its pictures in a browser, also on the start page, which loads nothing from elsewhere',
    async () => {
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        const asked: string[] = [];
        const faults: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        page.on('console', (message) => faults.push(message.text()));
        await page.goto(url);
        await page.getByRole('link', { name: /^Reference/ }).waitFor();
        const widths = await page
          .locator('img')
          .evaluateAll((images) => images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth));
        expect(widths.length).toBeGreaterThan(10);
        expect(widths.every((width) => width === 256)).toBe(true);
        expect(asked.filter((one) => !one.startsWith(url) && !one.startsWith('data:'))).toEqual([]);
        expect(faults).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});

interface Documented {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: { sample: { value: object } } }> };
}

describe('the examples of the reference', () => {
  it('work unchanged, one after another', async () => {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Documented>>;
    };
    const refused: string[] = [];
    let asked = 0;
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { operationId, parameters, requestBody }] of Object.entries(item)) {
        if (WITHOUT_EXAMPLE.has(operationId)) continue;
        const query = new URLSearchParams();
        for (const { name, in: place, example } of parameters)
          if (place === 'query' && example !== undefined) {
            query.set(name, String(example).replace('127.0.0.1:3000', new URL(url).host));
          }
        const body = requestBody?.content['application/json']?.examples?.sample.value;
        const response = await fetch(`${url}${path}?${query}`, {
          method: method.toUpperCase(),
          headers: { 'x-api-key': keyOf(environment), ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        asked++;
        if (!response.ok) refused.push(`${operationId} ${query}: ${response.status} ${text}`);
      }
    }
    expect(refused).toEqual([]);
    expect(asked).toBeGreaterThan(75);
  });
});

describe('accounts of the sample network', () => {
  it('sign in, approve keys for apps with names, and verify addresses', async () => {
    expect(await run('account', 'list', '--limit', '3')).toMatch(/1 +harbor +Harbor +0x/);
    const { nonce } = await ask<{ nonce: string }>('/v2/social/login/nonce/');
    const query = await run('account', 'sign-in', '@harbor', '--nonce', nonce, '--query');
    const { signers } = await ask<{ signers: { fid: number }[] }>(`/v2/social/signer/list/?${query}`);
    expect(signers.every(({ fid }) => fid === 1)).toBe(true);

    const { signer_uuid: uuid } = await ask<{ signer_uuid: string }>('/v2/social/signer/', {});
    const request = JSON.parse(await run('account', 'sign-key', 'skiff', '--key', uuid));
    const registered = await ask<{ status: string }>('/v2/social/signer/signed_key/', request);
    expect(registered.status).toBe('pending_approval');
    await run('signer', 'approve', uuid, '--fid', '7');
    const { cast } = await ask<{ cast: Cast }>('/v2/social/cast/', { signer_uuid: uuid, text: 'With my own app' });
    const shown = await ask<{ cast: Cast }>(`/v2/social/cast/?identifier=${cast.hash}&type=hash`);
    expect(shown.cast.app).toMatchObject({ username: 'skiff', display_name: 'Skiff' });

    const claim = JSON.parse(await run('account', 'verify-address', '7', '--signer', uuid));
    await ask('/v2/social/user/verification/', claim);
    const { users } = await ask<{ users: { verifications: string[] }[] }>('/v2/social/user/bulk/?fids=7');
    expect(users[0]?.verifications).toContain(claim.address.toLowerCase());
  });

  it('write with an app that has a name and a picture where no app asked for the key', async () => {
    const { signer_uuid: uuid } = await ask<{ signer_uuid: string }>('/v2/social/signer/', {});
    await run('signer', 'approve', uuid, '--fid', '1');
    const { cast } = await ask<{ cast: Cast }>('/v2/social/cast/', { signer_uuid: uuid, text: 'Hello' });
    const shown = await ask<{ cast: Cast }>(`/v2/social/cast/?identifier=${cast.hash}&type=hash`);
    expect(shown.cast.app).toMatchObject({ username: 'lantern', display_name: 'Lantern 🏮' });
    expect((await fetch(shown.cast.app.pfp_url)).status).toBe(200);
  });

  it('are played on the local network alone, and only those of the sample', async () => {
    const store = await work.newStore();
    const real = await castellan(['account', 'sign-in', '1', '--nonce', 'abcdefgh12'], {
      ...store,
      CASTELLAN_HUB_NETWORK: 'mainnet',
    });
    expect(real.code).toBe(1);
    expect(real.err).toContain('CASTELLAN_HUB_NETWORK is mainnet');
    const hub = await castellan(['account', 'list'], { ...store, CASTELLAN_HUB_URL: 'grpc://127.0.0.1:9' });
    expect(hub.err).toContain('CASTELLAN_HUB_URL is set');
    const nobody = await castellan(['account', 'sign-in', '999', '--nonce', 'abcdefgh12'], environment);
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining('not known here') });
  });
});

describe('a sample network whose loading was interrupted', () => {
  it('is completed at the next start, at another address too, and nothing is there twice', async () => {
    const store = { ...(await work.newStore()), CASTELLAN_METRICS_PORT: 'off' };
    const first = work.start(['dev', '--still'], { ...store, PORT: String(await freePort()) });
    await expect.poll(() => /[1-9][\d,]* of 33,236/.test(first.err()), { timeout: 500_000, interval: 20 }).toBe(true);
    first.child.kill('SIGKILL');
    await first.ended;
    const port = String(await freePort());
    const second = work.start(['dev', '--still'], { ...store, PORT: port });
    await second.shows('Try:');
    const info = await fetch(`http://127.0.0.1:${port}/v1/info?dbstats=true`, {
      headers: { 'x-api-key': keyOf(store) },
    });
    const { dbStats } = (await info.json()) as { dbStats: { numMessages: number } };
    const whole = await ask<{ dbStats: { numMessages: number } }>('/v1/info?dbstats=true');
    // The other tests of this file wrote some messages more into the store that was loaded at once.
    expect(dbStats.numMessages).toBeGreaterThan(whole.dbStats.numMessages - 20);
    expect(dbStats.numMessages).toBeLessThanOrEqual(whole.dbStats.numMessages);
    expect((await castellan(['audit'], { ...store, PORT: port })).out).toContain('No difference');
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });
});
