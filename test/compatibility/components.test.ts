import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../../src/protocol/time.js';
import { SAMPLE_CHANNELS } from '../../src/sample/channel.js';
import { generateSampleNetwork } from '../../src/sample/network.js';
import { createSecondApp } from '../support/app.js';
import { launchBrowser } from '../support/browser.js';
import { hasBrowser } from '../support/browser-path.js';
import { storeChannels } from '../support/channel.js';
import { type Network, startNetwork } from '../support/network.js';
import { requirePrograms, withoutPrograms } from './programs.js';
import { recordRun } from './record.js';

const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));
/** What shows pages of others to the components: a service that is neither the vendor's nor this one. */
const PREVIEWS = 'https://api.allorigins.win/';
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>';

interface ShownUser {
  readonly fid: number;
  readonly username: string;
  readonly display_name: string;
}
interface ShownCast {
  readonly hash: string;
  readonly text: string;
  readonly author: ShownUser;
  readonly embeds: readonly { readonly url?: string }[];
}

/** The plugin for esbuild as `docs/compatibility.md` gives it. */
const documentedPlugin = async (service: string): Promise<Plugin> => {
  const page = await readFile(new URL('../../docs/compatibility.md', import.meta.url), 'utf8');
  const [, code = ''] = /^## A host in a page$[\s\S]*?^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly vendorAddress: (service: string) => Plugin;
  };
  return module.vendorAddress(service);
};

const bundle = async (service: string): Promise<ReadonlyMap<string, string>> => {
  const { outputFiles } = await build({
    entryPoints: [`${PROGRAMS}components.jsx`],
    bundle: true,
    write: false,
    outdir: '/',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [await documentedPlugin(service)],
    logLevel: 'error',
  });
  return new Map(outputFiles.map(({ path, text }) => [path, text]));
};

/** Serves the page and its files. */
const startPages = async (files: ReadonlyMap<string, string>): Promise<Server> => {
  const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
  const server = createServer(({ url = '/' }, response) => {
    const content = files.get(url);
    const type = content === undefined ? 'text/html' : types[url.slice(url.lastIndexOf('.') + 1)];
    response.setHeader('content-type', `${type}; charset=utf-8`).end(content ?? files.get('/'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

/** The components leave spaces out around links, and what they draw between lines. */
const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');

describe.skipIf(withoutPrograms || !hasBrowser)('the components of @neynar/react that read, in a browser', () => {
  let network: Network;
  let server: Server;
  let browser: Browser;
  let page: Page;
  /** What the page complained about, and each request of it that failed. */
  const faults: string[] = [];
  /** Requests for the service. */
  const asked: URL[] = [];
  /** What the components get as properties. */
  let input: Readonly<Record<'fid' | 'viewerFid', number> & Record<string, string | number>>;

  const read = async (path: string) => {
    const { status, body } = await network.get(`/v2/farcaster/${path}`);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const sectionOf = (name: string) => page.locator(`section#${name}`);
  const expectText = (name: string, text: string) =>
    expect
      .poll(async () => withoutSpace((await sectionOf(name).textContent()) ?? ''), { message: name })
      .toContain(withoutSpace(text));
  const expectCasts = async (name: string, casts: readonly ShownCast[]): Promise<void> => {
    expect(casts.length, name).toBeGreaterThan(0);
    for (const { author, text } of casts) {
      await expectText(name, `${author.display_name}@${author.username}·`);
      await expectText(name, text);
    }
  };

  /** Finds in the sample what there is to show. */
  const findInput = async () => {
    const [channel] = await network.sql<{ url: string }>(
      'select parent_url as url from "cast" where parent_url is not null group by 1 order by count(*) desc, 1 limit 1',
    );
    const { url: parentUrl } = channel as { url: string };
    const channelId = SAMPLE_CHANNELS.find((one) => one.parentUrl === parentUrl)?.id as string;
    await network.app.core.db.transaction((session) => storeChannels(session, [{ id: channelId, parentUrl }]));
    const [replied] = await network.sql<{ hash: string; username: string }>(
      `select '0x' || encode(parent_hash, 'hex') as hash, username from "cast" c join account a on a.fid = parent_fid
        where parent_hash is not null group by 1, 2 order by count(*) desc, 1 limit 1`,
    );
    const { casts } = await read(
      `feed?feed_type=filter&filter_type=parent_url&parent_url=${encodeURIComponent(parentUrl)}`,
    );
    const embedUrl = casts.flatMap(({ embeds }: ShownCast) => embeds).find(({ url }: { url?: string }) => url).url;
    const { hash: root, username } = replied as { hash: string; username: string };
    const { id: clientId } = await createSecondApp(network);
    const castUrl = `https://farcaster.xyz/${username}/${root.slice(0, 10)}`;
    return { clientId, channelId, parentUrl, embedUrl, fid: 4, viewerFid: 7, cast: root, root, castUrl };
  };

  const openPage = async (path: string): Promise<Page> => {
    const opened = await browser.newPage();
    opened.on('pageerror', (error) => faults.push(error.message));
    opened.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    opened.on('requestfailed', (request) => faults.push(`${request.url()}: ${request.failure()?.errorText}`));
    opened.on('response', (answer) => answer.status() >= 400 && faults.push(`${answer.status()} ${answer.url()}`));
    opened.on('request', (request) => request.url().startsWith(network.url) && asked.push(new URL(request.url())));
    // Pictures and pages of other hosts, which exist nowhere.
    await opened.route(/^https:/, (route) =>
      route.request().url().startsWith(PREVIEWS)
        ? route.fulfill({
            json: { contents: '<meta property="og:title" content="A page of others">' },
            headers: { 'access-control-allow-origin': '*' },
          })
        : route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
    );
    await opened.goto(`http://localhost:${(server.address() as AddressInfo).port}${path}`);
    return opened;
  };

  const serve = async (): Promise<void> => {
    const files = new Map(await bundle(network.url));
    files.set('/picture.svg', PICTURE);
    files.set(
      '/',
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="/picture.svg"><link rel="stylesheet" href="/components.css">
       <main></main><script>globalThis.INPUT = ${JSON.stringify(input)}</script><script src="/components.js"></script>`,
    );
    server = await startPages(files);
  };

  beforeAll(async () => {
    requirePrograms();
    network = await startNetwork({ CASTELLAN_PUBLIC_READS_PER_ADDRESS: '1000' });
    const sample = generateSampleNetwork({
      accounts: 20,
      casts: 120,
      reactions: 200,
      follows: 100,
      now: fromUnixMs(Date.now()),
    });
    for await (const items of sample.items()) expect((await network.load(items)).invalid).toEqual({});
    input = await findInput();
    await serve();
    browser = await launchBrowser();
    page = await openPage('/');
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await network?.stop();
  });

  test('a profile', async () => {
    const [user] = (await read(`user/bulk?fids=${input.fid}&viewer_fid=${input.viewerFid}`)).users;
    await expectText('profile', `${user.display_name}@${user.username}`);
    await expectText('profile', user.profile.bio.text);
    await expectText('profile', `${user.following_count} Following ${user.follower_count} Followers`);
  });

  test('a cast by its hash and by its address', async () => {
    const { cast } = await read(`cast?type=hash&identifier=${input.cast}`);
    for (const name of ['cast-by-hash', 'cast-by-url']) await expectCasts(name, [cast]);
    await expectText('cast-by-hash', `${cast.replies.count}`);
  });

  test('feeds of each kind', async () => {
    const { fid, viewerFid, channelId } = input;
    const [parentUrl, embedUrl] = [input.parentUrl, input.embedUrl].map((url) => encodeURIComponent(url as string));
    for (const [name, path] of Object.entries({
      'feed-fids': `?feed_type=filter&filter_type=fids&fids=${fid}`,
      'feed-channel': `?feed_type=filter&filter_type=channel_id&channel_id=${channelId}`,
      'feed-parent-url': `?feed_type=filter&filter_type=parent_url&parent_url=${parentUrl}`,
      'feed-embed-url': `?feed_type=filter&filter_type=embed_url&embed_url=${embedUrl}`,
      'feed-global-trending': '?feed_type=filter&filter_type=global_trending&limit=5',
      'feed-of-followed': `?feed_type=following&fid=${viewerFid}&with_recasts=true`,
      following: `/following?fid=${viewerFid}&limit=5`,
      'for-you': `/for_you?fid=${viewerFid}&viewer_fid=${viewerFid}&limit=5`,
      channels: `/channels?channel_ids=${channelId}&with_recasts=true&members_only=false&limit=5`,
      'parent-urls': `/parent_urls?parent_urls=${parentUrl}&limit=5`,
      trending: '/trending?time_window=7d&limit=5',
    }))
      await expectCasts(name, (await read(`feed${path}`)).casts);
  });

  test('the next page of a feed, once the reader comes to its end', async () => {
    const first = await read(`feed/following?fid=${input.viewerFid}&limit=5`);
    const next = await read(`feed/following?fid=${input.viewerFid}&limit=5&cursor=${first.next.cursor}`);
    await sectionOf('following').evaluate((section) => section.scrollIntoView({ block: 'end' }));
    await expectCasts('following', next.casts);
    const pages = asked.filter(({ pathname }) => pathname.endsWith('/feed/following'));
    expect(pages.map(({ searchParams }) => searchParams.has('cursor'))).toContain(true);
  });

  test('accounts that match what is typed, to choose from', async () => {
    const [user] = (await read(`user/bulk?fids=${input.fid}`)).users as [ShownUser];
    for (const name of ['dropdown', 'autocomplete']) {
      await sectionOf(name).locator('input').pressSequentially(user.username);
      await expectText(name, `${user.display_name}@${user.username}`);
      // The dropdown takes its list away 200 ms after the mouse is pressed, and a busy machine may be slower to release it.
      await sectionOf(name).getByText(`@${user.username}`, { exact: true }).dispatchEvent('click');
    }
    await expect.poll(() => sectionOf('dropdown').locator('input').inputValue()).toContain(`${user.fid}`);
    await expectText('autocomplete', user.display_name);
    expect(await sectionOf('autocomplete').textContent()).not.toContain('@');
  });

  test('what reads nothing', async () => {
    await expectText('card', 'Nobody @nobody · 12:00AM, Jan 1st 2026 A card that reads nothing');
    await expectText('frame', 'Press');
  });

  test('a conversation', async () => {
    const { cast } = (await read(`cast/conversation?type=hash&identifier=${input.root}&reply_depth=2&limit=20`))
      .conversation;
    expect(cast.direct_replies.length).toBeGreaterThan(1);
    await page.close();
    page = await openPage('/conversation');
    await expectCasts('conversation', [cast, ...cast.direct_replies]);
  });

  test('no error in the console, and no request that failed', () => {
    expect(faults).toEqual([]);
    const paths = [...new Set(asked.map(({ pathname }) => pathname.replace('/v2/farcaster/', '')))].sort();
    recordRun('@neynar/react', Object.fromEntries(paths.map((path) => [path, true])));
  });
});
