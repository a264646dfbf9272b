import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';
import { parseSnippets, readSnippets, runSnippets, type Snippet } from './support/doc-snippet.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
/** Pages with a separate test, which need other services. */
const EXCLUDED_PAGES = new Set([
  'docs/accounts.md',
  'docs/guide-client.md',
  'docs/guide-mini-app.md',
  'docs/guide-operate.md',
  'docs/guide-resell.md',
  'docs/migrating.md',
]);
const PAGES = ['README.md', ...readdirSync(DOCS).map((name) => join('docs', name))].filter(
  (page) => page.endsWith('.md') && !EXCLUDED_PAGES.has(page) && readSnippets(page).length > 0,
);

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

/** Runs snippets with a new service of a dozen accounts. */
const run = async (snippets: readonly Snippet[], substitutes: Record<string, string> = {}) => {
  const { file } = await work.writeSample('small.ndjson', { accounts: 12, casts: 30, reactions: 30, follows: 30 });
  const { environment, ...service } = await work.startDev(await work.newStore());
  await castellan(['import', file], environment);
  const folder = join(work.folder, `checkout-${environment.PORT}`);
  try {
    return await runSnippets(snippets, { folder, environment, substitutes });
  } finally {
    service.child.kill('SIGTERM');
    await service.ended;
  }
};

const block = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;

describe('snippets of documentation', () => {
  it.each(PAGES)('%s: snippets marked `run` succeed and print the documented response', async (page) => {
    const snippets = readSnippets(page);
    const printed = await run(snippets);
    for (const [index, { place, answer }] of snippets.entries())
      if (answer !== undefined) expect(JSON.parse(printed[index] as string), place).toMatchObject(answer as object);
  });

  it('are parsed with language, heading and response', () => {
    const text = `# One\n${block('sh', 'rm -rf /')}## Two\n${block('js run', '1')}\n${block('json answer', '{"a": 1}')}`;
    expect(parseSnippets('a.md', text)).toEqual([
      {
        ...{ place: 'a.md:6', heading: 'Two', language: 'js', code: '1\n' },
        ...{ fileName: undefined, isSaved: false, answer: { a: 1 } },
      },
    ]);
    expect(parseSnippets('a.md', block('js save', '// api.mjs\n1'))).toMatchObject([
      { fileName: 'api.mjs', isSaved: true },
    ]);
    for (const info of ['python run', 'sh save', 'js save'])
      expect(() => parseSnippets('a.md', block(info, '1'))).toThrow('a.md:1');
    expect(() => parseSnippets('a.md', block('json answer', '{}'))).toThrow('a.md:1');
  });

  it('share a terminal, find the service and its key, and report the line of a failure', async () => {
    const good = [
      block('sh run', 'KEY="x-api-key: $(cat data/api-key)" API=http://127.0.0.1:3000/v2/social'),
      block('sh run', 'curl -sf -H "$KEY" "$API/user/bulk/?fids=1"'),
      block(
        'js run',
        "const headers = { 'x-api-key': 'YOUR_KEY' === 'mine' ? process.env.CASTELLAN_API_KEY : '' };\n" +
          "console.log((await fetch('http://127.0.0.1:3000/v2/social/user/bulk/?fids=1', { headers })).status);",
      ),
    ];
    const printed = await run(parseSnippets('a.md', good.join('\n')), { YOUR_KEY: 'mine' });
    expect(JSON.parse(printed[1] as string).users[0].username).toBe('harbor');
    expect(printed[2]).toBe('200');
    const bad = [block('sh run', 'true'), block('sh run', 'false\necho no'), block('sh run', 'echo never')].join('\n');
    await expect(run(parseSnippets('a.md', bad))).rejects.toThrow('a.md:5 failed');
  });
});
