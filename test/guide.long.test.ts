import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildProgram, castellan, freePort, TestWorkspace } from './support/castellan.js';
import { readSnippets, runSnippets, type Snippet } from './support/doc-snippet.js';

/** The guides for those who build on a service: each is done from its first to its last snippet, against a new service. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const MAX_LINES = 300;

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

const textOf = (page: string): string => readFileSync(fileURLToPath(new URL(`../${page}`, import.meta.url)), 'utf8');

/** Ends what a guide has started, if one of its snippets failed before the last. */
const stopMiniApp = (folder: string): void => {
  const terminal = join(folder, '.terminal');
  const id = existsSync(terminal) ? /MINI_APP='(\d+)'/.exec(readFileSync(terminal, 'utf8'))?.[1] : undefined;
  try {
    if (id !== undefined) process.kill(Number(id));
  } catch {
    // It has ended, as it should.
  }
};

/**
 * Does a guide with the sample network, as `npm start` brings it, and compares what each snippet prints with what the
 * guide says.
 * @param settings environment variables that the guide tells the reader to set
 * @param substitutes further texts of the guide, and what they are here
 * @param before snippets of another page that are run first
 */
const follow = async (
  page: string,
  settings: Record<string, string> = {},
  substitutes: Record<string, string> = {},
  before: readonly Snippet[] = [],
) => {
  const port = String(await freePort());
  const environment = { ...(await work.newStore()), PORT: port, CASTELLAN_METRICS_PORT: 'off', ...settings };
  const service = work.start(['dev', '--still'], environment);
  await service.shows('Try:');
  const snippets = [...before, ...readSnippets(page)];
  const folder = join(work.folder, `checkout-${port}`);
  try {
    const printed = await runSnippets(snippets, { folder, environment, substitutes });
    for (const [index, { place, answer }] of snippets.entries()) {
      if (answer === undefined) continue;
      let expected = JSON.stringify(answer);
      for (const [theirs, ours] of Object.entries(substitutes)) expected = expected.replaceAll(theirs, ours);
      expect(JSON.parse(printed[index] as string), place).toMatchObject(JSON.parse(expected));
    }
    const outputOf = (heading: string) => printed[snippets.findIndex((one) => one.heading === heading)] as string;
    return { environment, printed, outputOf };
  } finally {
    stopMiniApp(folder);
    service.child.kill('SIGTERM');
    await service.ended;
  }
};

test.each(['client', 'mini-app', 'operate', 'resell'])(
  'the guide %s is short, and nearly all of its code is run',
  (name) => {
    const text = textOf(`docs/guide-${name}.md`);
    expect(text.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    const blocks = [...text.matchAll(/^```(js|sh)( \w+)?$/gm)];
    const isRun = blocks.filter(([, , mark]) => mark !== undefined);
    expect(isRun.length / blocks.length).toBeGreaterThan(0.7);
  },
);

/** @returns what the README says that its first request answers */
const readmeAnswer = (baseUrl: string): object => {
  const [, text = ''] = /## First request[\s\S]*?```json\n([\s\S]*?)```/.exec(textOf('README.md')) ?? [];
  return JSON.parse(text.replaceAll('http://127.0.0.1:3000', baseUrl)) as object;
};

test('the first request of the README is answered as it says, and after it a client is built', async () => {
  const first = readSnippets('README.md').filter(({ heading }) => heading === 'First request');
  const { environment, printed } = await follow('docs/guide-client.md', {}, {}, first);
  expect(JSON.parse(printed[0] as string)).toMatchObject(readmeAnswer(`http://127.0.0.1:${environment.PORT}`));
});

test('build a mini app', async () => {
  const { outputOf } = await follow(
    'docs/guide-mini-app.md',
    {},
    { 'localhost:4000': `localhost:${await freePort()}` },
  );
  expect(outputOf('Is the manifest right?')).toContain('Tomato Diary');
});

test('serve others', async () => {
  const page = 'docs/guide-resell.md';
  const [, plans = ''] = /^```json\n([\s\S]*?)^```$/m.exec(textOf(page)) ?? [];
  const [, exported = ''] = /^```sh\n((?:export .*\n)+)/m.exec(textOf(page)) ?? [];
  const settings = Object.fromEntries(
    [...exported.matchAll(/(CASTELLAN_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  expect(Object.keys(settings)).toHaveLength(4);
  const file = join(work.folder, 'my-plans.json');
  writeFileSync(file, plans);
  const { environment, outputOf } = await follow(page, { ...settings, CASTELLAN_PLANS_FILE: file });
  expect(JSON.parse(outputOf('Who changed what'))).toContain('organization.made by ops');
  expect((await castellan(['audit'], environment)).out).toContain('No difference');
});
