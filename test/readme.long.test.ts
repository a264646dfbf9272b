import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';
import { readSnippets, runSnippets } from './support/doc-snippet.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

it('the snippets of "Write your first cast" write and read a cast, which those of "Use it from a program" read', async () => {
  const { file } = await work.writeSample('small.ndjson', { accounts: 12, casts: 30, reactions: 30, follows: 30 });
  const { environment, ...service } = await work.startDev(await work.newStore());
  await castellan(['import', file], environment);
  const snippets = readSnippets('README.md').filter(({ heading }) => heading === 'Write your first cast');
  expect(snippets).toHaveLength(1);
  const [output = ''] = await runSnippets(snippets, { folder: join(work.folder, 'checkout'), environment });
  const [approval, ...responses] = output.replaceAll('}{', '}\n{').split('\n');
  expect(approval).toMatch(/^Signer [0-9a-f-]{36} is approved for account 1\.$/);
  const [published, feed] = responses.map((response) => JSON.parse(response));
  expect(published).toMatchObject({ success: true, cast: { author: { fid: 1 }, text: 'Hello from @harbor 🌊' } });
  expect(feed.casts).toMatchObject([{ hash: published.cast.hash, text: published.cast.text }]);
  expect(feed.casts[0].mentioned_profiles[0].username).toBe('harbor');
  const programs = readSnippets('README.md').filter(({ heading }) => heading === 'Use it from a program');
  expect(programs.map(({ language }) => language)).toEqual(['js', 'js']);
  const printed = await runSnippets(programs, { folder: join(work.folder, 'program'), environment });
  const [people, client] = printed.map((text) => JSON.parse(text));
  expect(people.map(({ fid }: { fid: number }) => fid)).toEqual([1, 2, 3]);
  expect(client).toEqual({ username: 'harbor', casts: 1 });
  service.child.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});
