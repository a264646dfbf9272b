import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Shell, startShell } from './support/http-shell.js';

let shell: Shell;
let url: string;
beforeAll(async () => {
  shell = await startShell();
  url = `http://127.0.0.1:${await shell.server.listen({ host: '127.0.0.1', port: 0 })}`;
});
afterAll(() => shell.stop());

test('people get a page about an error, programs and all paths of the interface get JSON', async () => {
  const typeOf = async (path: string, accept: string) => {
    const response = await fetch(`${url}${path}`, { headers: { accept } });
    return [response.status, response.headers.get('content-type')?.split(';')[0]];
  };
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  expect(await typeOf('/nowhere', browser)).toEqual([404, 'text/html']);
  expect(await typeOf('/nowhere', '*/*')).toEqual([404, 'application/json']);
  for (const path of ['/v2/social/nowhere', '/v1/nowhere', '/portal/nowhere', '/.well-known/nowhere'])
    expect(await typeOf(path, browser)).toEqual([404, 'application/json']);
  const hostile = await fetch(`${url}/%3Cscript%3Ealert(1)%3C/script%3E"'><script>alert(1)</script>`, {
    headers: { accept: browser },
  });
  expect(await hostile.text()).not.toMatch(/<script/i);
  expect(hostile.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('browsers and search engines find what they ask for by themselves', async () => {
  for (const [path, type] of [
    ['/favicon.ico', 'image/svg+xml'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
  ] as const) {
    const response = await fetch(`${url}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  }
  expect(await (await fetch(`${url}/robots.txt`)).text()).toContain('Disallow: /v2/');
});
