import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Shell, startShell } from './support/http-shell.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const NAMES = readdirSync(new URL('../docs/', import.meta.url))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length));

let shell: Shell;
let url: string;
beforeAll(async () => {
  shell = await startShell();
  url = `http://127.0.0.1:${await shell.server.listen({ host: '127.0.0.1', port: 0 })}`;
});
afterAll(() => shell.stop());

const open = async (path: string, accept = BROWSER) => {
  const response = await fetch(url + path, { headers: { accept } });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const search = (q: string) => open(`/guides?${new URLSearchParams({ q })}`);
const linksOf = (html: string): string[] => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link as string);

describe('the list of guides', () => {
  test('has the four guides first, then every other page, under the policy of all pages', async () => {
    const { status, headers, html } = await open('/guides');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    const pages = linksOf(html).flatMap((link) => /^\/guides\/(.+)$/.exec(link)?.[1] ?? []);
    expect(pages.slice(0, 4)).toEqual(['guide-client', 'guide-mini-app', 'guide-operate', 'guide-resell']);
    expect(pages.filter((name) => !name.includes('/')).sort()).toEqual([...NAMES].sort());
    expect(html).not.toMatch(/<script|<style| style=| on[a-z]+=/i);
  });

  test('is linked from the start page and from error pages', async () => {
    for (const path of ['/', '/nowhere', '/docs/costs'])
      expect(linksOf((await open(path)).html), path).toContain('/guides');
  });
});

describe('a page', () => {
  test('is HTML with one title, and every link within it leads to a page and a heading', async () => {
    const { html: index } = await open('/guides');
    const paths = linksOf(index).filter((link) => link.startsWith('/guides/'));
    expect(paths.length).toBeGreaterThan(80);
    const pages = new Map<string, string>();
    for (const path of paths) {
      const { status, html } = await open(path);
      expect([path, status, html.match(/<h1/g)?.length]).toEqual([path, 200, 1]);
      expect(html, path).not.toMatch(/<script|<style| style=|<!-- /i);
      pages.set(path, html);
    }
    const dead: string[] = [];
    for (const [path, html] of pages) {
      for (const link of linksOf(html)) {
        const [target = '', anchor] = link.split('#', 2);
        if (/^https?:/.test(link) || ['/', '/docs', '/guides', '/openapi.json', '/llms.txt'].includes(target)) continue;
        if (/^\/docs\/[a-z0-9-]+\.md$/.test(target)) continue;
        const page = target === '' ? html : pages.get(target);
        if (page === undefined || (anchor && !page.includes(` id="${decodeURIComponent(anchor)}"`)))
          dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('has anchors, a table of contents where it is long, tables that can be scrolled, and code as text', async () => {
    const { html } = await open('/guides/webhooks');
    expect(html).toContain('<h2 id="what-is-promised"><a href="#what-is-promised">What is promised</a></h2>');
    expect(html).toContain('<li><a href="#what-is-promised">What is promised</a></li>');
    expect(html).toMatch(/<div class="table" role="group" aria-label="Table" tabindex="0"><table>/);
    expect(html).toContain('if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {');
    expect(html).toContain('href="/guides/streams"');
    expect(html).toContain('href="/docs/webhooks.md"');
  });

  test.each([
    'nothing',
    '..%2F..%2Fpackage',

    'README',
    'decisions/nothing',
    'decisions',
    'a'.repeat(900),
    'constructor',
  ])('that does not exist says where the others are: %s', async (name) => {
    const { status, html } = await open(`/guides/${name}`);
    expect([status, /<h1>/.test(html)]).toEqual([404, true]);
    const { headers } = await open(`/guides/${name}`, '*/*');
    expect(headers.get('content-type')).toContain('application/json');
  });
});

describe('the search', () => {
  test('finds pages and headings with an excerpt', async () => {
    const { status, html } = await search('Webhook sent AGAIN');
    expect(status).toBe(200);
    const hits = [...html.matchAll(/<li><a href="(\/guides\/[^"]+)">([^<]+)<\/a>.*?<p>(.*?)<\/p><\/li>/g)];
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.some(([, , , text]) => text?.includes('<mark>'))).toBe(true);
    const [, first = ''] = hits[0] ?? [];
    const [path = '', anchor] = first.split('#');
    expect((await open(path)).html).toContain(`id="${anchor}"`);
    const [, best] = /<ul class="hits">\s*<li><a href="([^"#]+)/.exec((await search('webhook')).html) ?? [];
    expect(best).toBe('/guides/webhooks');
  });

  test('says what it shows of many, and what to do about none', async () => {
    expect((await search('the')).html).toMatch(/\d+ sections with <q>the<\/q>; the best 20 are shown/);
    expect((await search('xyzzyplugh')).html).toContain('Nothing has all words of <q>xyzzyplugh</q>');
    expect((await search('  ')).html).toContain('<h1>Guides</h1>');
  });

  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'; drop table account; --",
    '(a+)+$ [',
    '.*'.repeat(50),
    'a '.repeat(50),
    'é\u0000\u202e\ud800',
    'İİİ',
    '__proto__ constructor',
    '<mark>',
  ])('takes %j for a text', async (q) => {
    const { status, html } = await search(q);
    expect(status).toBe(200);
    expect(html).not.toMatch(/<script|<img|<style/i);
    expect(html.match(/<mark>/g)?.length ?? 0).toBe(html.match(/<\/mark>/g)?.length ?? 0);
    expect(html.match(/<q>/g)).toHaveLength(1);
  });

  test('refuses texts that are too long, and several', async () => {
    for (const path of [`/guides?q=${'a'.repeat(101)}`, '/guides?q=a&q=b']) {
      const { status, html } = await open(path);
      expect([path, status, html.includes('<h1>')]).toEqual([path, 400, true]);
    }
  });

  test('is limited for each address', async () => {
    const other = await startShell({ rateLimitPerMinute: 3 });
    const port = await other.server.listen({ host: '127.0.0.1', port: 0 });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await fetch(`http://127.0.0.1:${port}/guides?q=a`)).status);
    await other.stop();
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});
