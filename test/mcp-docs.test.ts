import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../src/mcp/tool-list.js';
import { type Network, startNetwork } from './support/network.js';

/** docs/mcp.md says what the tools are, and the service serves the documentation to language models. */

const DOCS = new URL('../docs/', import.meta.url);
let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network?.stop());

const ask = async (path: string) => {
  const response = await fetch(`${network.url}${path}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('the table of docs/mcp.md is that of the tools', async () => {
  const page = await readFile(new URL('mcp.md', DOCS), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*?)( \(destructive\))? \| `(\w+)` \|$/gm)];
  expect(rows.map(([, name, title, destructive, scope]) => [name, title, destructive !== undefined, scope])).toEqual(
    tools.map(({ name, title, destructive, scope }) => [name, title, destructive, scope]),
  );
});

test('llms.txt links to pages that are served, and llms-full.txt has them', async () => {
  const index = await ask('/llms.txt');
  expect(index).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
  expect(index.text).toMatch(/^# Castellan\n\n> /);
  const links = [...index.text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, link]) => link as string);
  expect(links.length).toBeGreaterThan(30);
  const full = await ask('/llms-full.txt');
  for (const link of links) {
    const page = await ask(`/${link}`);
    expect({ link, ...page, text: '' }).toEqual({ link, status: 200, type: 'text/markdown; charset=utf-8', text: '' });
    if (!/(coverage|data-flow|hub-cases|testing)\.md$/.test(link)) expect(full.text).toContain(`<!-- ${link} -->`);
  }
});

test('no other file of the folder is served', async () => {
  for (const name of [
    'nothing.md',
    'llms.txt',
    'decisions',
    '..%2Fpackage.json',
    '..%2FREADME.md',
    '%2Fetc%2Fpasswd',
    'a%00.md',
  ])
    expect(await ask(`/docs/${name}`), name).toMatchObject({ status: 404, type: 'application/json; charset=utf-8' });
});
